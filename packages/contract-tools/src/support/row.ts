import type { Contract, Json, Pointer } from '../contract.ts';
import type { Kind } from './grammar.ts';
import type { Place } from './walk.ts';

/** What a row may ask about besides the object it looks at. */
export interface Scope {
  readonly contract: Contract;
  readonly places: readonly Place[];
}

/** Where in `value`, and below it, a feature is used or a mistake is made. */
export type Find = (value: Json, place: Place, scope: Scope) => Iterable<Pointer>;

/** A feature of OpenAPI, which is a row of docs/contract.md, or a mistake, which is wrong whether or not it is supported. */
export interface Row {
  readonly verdict: 'works' | 'refused' | 'mistake';
  /** The kind of object that is looked at; `Reference` is any `$ref`. */
  readonly on: Kind | 'Reference';
  /** What the feature is called, or what is said of the mistake. */
  readonly name: string;
  readonly find: Find;
  /** The object in YAML, using the feature; of a refused one or a mistake, `# here` ends the line that is reported. */
  readonly example: string;
  /** Of what is refused: what to write instead. Of what works: what is worth knowing, if anything is. */
  readonly advice: string;
}

type Columns = readonly [name: string, find: Find, example: string, advice?: string];

/** Makes rows about one kind of object. */
export function on(kind: Row['on']): Record<Row['verdict'], (...columns: Columns) => Row> {
  const row =
    (verdict: Row['verdict']) =>
    (...[name, find, example, advice = '']: Columns): Row => ({
      verdict,
      on: kind,
      name,
      find,
      example,
      advice,
    });
  return { works: row('works'), refused: row('refused'), mistake: row('mistake') };
}

/** Every one of `fields` that the object has. */
export function has(...fields: readonly string[]): Find {
  return (value) => fields.filter((field) => field in value).map((field) => [field]);
}

/** `pointer`, where `test` holds for the object. */
export function where(test: (value: Json, scope: Scope, place: Place) => unknown, ...pointer: Pointer): Find {
  return (value, place, scope) => (test(value, scope, place) ? [pointer] : []);
}

/** `field`, where its value is one of `values`. */
export function is(field: string, ...values: readonly unknown[]): Find {
  return where((value) => values.includes(value[field]), field);
}

/** Every name in `field`, or in the object itself, for which `test` holds. */
export function named(
  test: (name: string, value: Json, place: Place) => unknown,
  ...field: readonly string[]
): Find {
  return (object, place) =>
    Object.entries<Json>(field.reduce((value, step) => value?.[step], object) ?? {})
      .filter(([name, value]) => test(name, value, place))
      .map(([name]) => [...field, name]);
}

/** Every item of the list `field` for which `test` holds. */
export function items(
  field: string,
  test: (item: Json, value: Json, scope: Scope, place: Place) => unknown,
): Find {
  return (value, place, scope) =>
    (value[field] ?? []).flatMap((item: Json, index: number) =>
      test(item, value, scope, place) ? [[field, index]] : [],
    );
}

/** The items of the list `field` whose key an item before them has. */
export function repeated(field: string, keyOf: (item: Json, scope: Scope) => string): Find {
  return (value, _place, scope) => {
    const keys: string[] = (value[field] ?? []).map((each: Json) => keyOf(each, scope));
    return keys.flatMap((key, index) => (keys.indexOf(key) < index ? [[field, index]] : []));
  };
}

/** What several detectors find. */
export function any(...finds: readonly Find[]): Find {
  return (...given) => finds.flatMap((find) => [...find(...given)]);
}

/** The field of its parent that an object stands in, such as `allOf`, whatever the names in it. */
export function fieldOf({ pointer, parent }: Place): string | number | undefined {
  return pointer[parent?.pointer.length ?? 0];
}

/** The types a schema allows, `null` left out. */
export function typesOf(schema: Json): string[] {
  return [schema?.type ?? []].flat().filter((type) => type !== 'null');
}

/** Whether every object of JavaScript has something of this name, which would be taken for what is meant. */
export function isInherited(name: unknown): boolean {
  return typeof name === 'string' && name in Object.prototype;
}

/** The schema of a parameter or header, its reference followed. */
export function schemaOf(value: Json, { contract }: Scope): Json {
  return contract.resolve(value.schema) ?? {};
}
