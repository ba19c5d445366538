import type { Contract, Json, Pointer } from '../contract.ts';
import type { Kind } from '../read/grammar.ts';
import type { Place } from '../read/walk.ts';

/** Where in `value`, which is at `place`, and below it, a feature is used or a mistake is made. */
export type Find = (value: Json, place: Place, contract: Contract) => Iterable<Pointer>;

/** What is refused: a feature of OpenAPI, which docs/contract.md lists, or a mistake, which is wrong in any case. */
export interface Refusal {
  readonly verdict: 'refused' | 'mistake';
  /** The kind of object that is looked at. */
  readonly on: Kind;
  /** The name of the feature, or the message about the mistake. */
  readonly name: string;
  readonly find: Find;
  /** The object in YAML with it; `# here` ends the line that is reported. */
  readonly example: string;
  /** What to write instead of the feature. */
  readonly advice: string;
}

/** Makes refusals of one kind of object. */
export function on(kind: Refusal['on']) {
  return {
    refused: (name: string, find: Find, example: string, advice: string): Refusal => {
      return { verdict: 'refused', on: kind, name, find, example, advice };
    },
    mistake: (name: string, find: Find, example: string): Refusal => {
      return { verdict: 'mistake', on: kind, name, find, example, advice: '' };
    },
  };
}

/** Every one of `fields` that the object has. */
export function has(...fields: readonly string[]): Find {
  return (value) => fields.filter((field) => field in value).map((field) => [field]);
}

/** `pointer`, where `test` holds for the object. */
export function where(
  test: (value: Json, contract: Contract, place: Place) => unknown,
  ...pointer: Pointer
): Find {
  return (value, place, contract) => (test(value, contract, place) ? [pointer] : []);
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
  test: (item: Json, value: Json, contract: Contract, place: Place) => unknown,
): Find {
  return (value, place, contract) =>
    (value[field] ?? []).flatMap((item: Json, index: number) =>
      test(item, value, contract, place) ? [[field, index]] : [],
    );
}

/** The items of the list `field` whose key an item before them has. */
export function repeated(field: string, keyOf: (item: Json, contract: Contract) => string): Find {
  return (value, _place, contract) => {
    const keys: string[] = (value[field] ?? []).map((each: Json) => keyOf(each, contract));
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
export function schemaOf(value: Json, contract: Contract): Json {
  return contract.resolve(value.schema) ?? {};
}
