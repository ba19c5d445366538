import type { SourceDocument, Json, Pointer } from '../source-document.ts';
import type { Kind } from './grammar.ts';
import type { Node } from './walk.ts';

/** Where in `value`, the value of `node`, and below it, a feature is used or a mistake is made. */
export type Find = (value: Json, node: Node, contract: SourceDocument) => Iterable<Pointer>;

/** What is refused: a feature of OpenAPI, which docs/contract.md lists, or a mistake, which is wrong in any case. */
export interface Rule {
  readonly verdict: 'refused' | 'mistake';
  /** The kind of object that is looked at; `Reference` is any `$ref`. */
  readonly on: Kind | 'Reference';
  /** The name of the feature, or the message about the mistake. */
  readonly name: string;
  readonly find: Find;
  /** The object in YAML with it; `# here` ends the line that is reported. */
  readonly example: string;
  /** What to write instead of the feature. */
  readonly advice: string;
}

/** Makes rules of one kind of object. */
export function on(kind: Rule['on']) {
  return {
    refused: (name: string, find: Find, example: string, advice: string): Rule => {
      return { verdict: 'refused', on: kind, name, find, example, advice };
    },
    mistake: (name: string, find: Find, example: string): Rule => {
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
  test: (value: Json, contract: SourceDocument, node: Node) => unknown,
  ...pointer: Pointer
): Find {
  return (value, node, contract) => (test(value, contract, node) ? [pointer] : []);
}

/** `field`, where its value is one of `values`. */
export function is(field: string, ...values: readonly unknown[]): Find {
  return where((value) => values.includes(value[field]), field);
}

/** Every name in `field`, or in the object itself, for which `test` holds. */
export function named(
  test: (name: string, value: Json, node: Node) => unknown,
  ...field: readonly string[]
): Find {
  return (object, node) =>
    Object.entries<Json>(field.reduce((value, step) => value?.[step], object) ?? {})
      .filter(([name, value]) => test(name, value, node))
      .map(([name]) => [...field, name]);
}

/** Every item of the list `field` for which `test` holds. */
export function items(
  field: string,
  test: (item: Json, value: Json, contract: SourceDocument, node: Node) => unknown,
): Find {
  return (value, node, contract) =>
    (value[field] ?? []).flatMap((item: Json, index: number) =>
      test(item, value, contract, node) ? [[field, index]] : [],
    );
}

/** The items of the list `field` whose key an item before them has. */
export function repeated(field: string, keyOf: (item: Json, contract: SourceDocument) => string): Find {
  return (value, _node, contract) => {
    const keys: string[] = (value[field] ?? []).map((each: Json) => keyOf(each, contract));
    return keys.flatMap((key, index) => (keys.indexOf(key) < index ? [[field, index]] : []));
  };
}

/** What several detectors find. */
export function any(...finds: readonly Find[]): Find {
  return (...given) => finds.flatMap((find) => [...find(...given)]);
}

/** The field of its parent that an object stands in, such as `allOf`, whatever the names in it. */
export function fieldOf({ pointer, parent }: Node): string | number | undefined {
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
export function schemaOf(value: Json, contract: SourceDocument): Json {
  return contract.resolve(value.schema) ?? {};
}
