import { contractAjv } from '@contract-kit/core/json';
import type { SourceDocument, Json, Pointer, Kind, Node } from '@contract-kit/core/openapi';

/** The place of an object, and its document. */
export interface Context {
  readonly node: Node;
  readonly contract: SourceDocument;
}

/** A name of a header (RFC 9110 §5.6.2). */
export const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

const ajv = contractAjv();
export const isDate = (value: Json) => ajv.validate({ type: 'string', format: 'date' }, value);

/** The places in `value` with the feature or the mistake. */
export type Find = (value: Json, context: Context) => Iterable<Pointer>;

/** What a contract may not have: an unsupported feature of OpenAPI, listed in docs/contract.md, or a mistake. */
export interface Rule {
  readonly verdict: 'unsupported' | 'invalid';
  readonly on: Kind;
  /** The name of the feature, or the message about the mistake; `{name}` is the last step of its place, `{value}` what is there. */
  readonly name: string;
  readonly find: Find;
  /** The object in YAML with it; `# here` ends the line that is reported. */
  readonly example: string;
  readonly advice: string;
}

interface Unsupported extends Pick<Rule, 'find' | 'example' | 'advice'> {
  readonly feature: string;
}

export function unsupported(on: Rule['on'], { feature, ...rule }: Unsupported): Rule {
  return { verdict: 'unsupported', on, name: feature, ...rule };
}

interface Invalid extends Pick<Rule, 'find' | 'example'> {
  readonly message: string;
}

export function invalid(on: Rule['on'], { message, ...rule }: Invalid): Rule {
  return { verdict: 'invalid', on, name: message, advice: '', ...rule };
}

export function when(test: (value: Json, context: Context) => unknown, ...pointer: Pointer): Find {
  return (value, context) => (test(value, context) ? [pointer] : []);
}

/** Every name in `field`, or in the object itself, for which `test` holds. */
export function eachName(
  test: (name: string, value: Json, context: Context) => unknown,
  ...field: readonly string[]
): Find {
  return (object, context) =>
    Object.entries<Json>(field.reduce((value, step) => value?.[step], object) ?? {})
      .filter(([name, value]) => test(name, value, context))
      .map(([name]) => [...field, name]);
}

export function all(...finds: readonly Find[]): Find {
  return (...given) => finds.flatMap((find) => [...find(...given)]);
}

/** The types a schema allows, `null` left out. */
export function typesOf(schema: Json): string[] {
  return [schema?.type ?? []].flat().filter((type) => type !== 'null');
}

/** Whether every JavaScript object has a member with this name. */
export function isInherited(name: unknown): boolean {
  return typeof name === 'string' && name in Object.prototype;
}
