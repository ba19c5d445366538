import { dereferenced } from './described-operation.ts';
import { isObject } from './json-pointer.ts';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly [keyword: string]: unknown;
}

/** What an example may be of: a parameter, a header or a body. */
export interface WithExamples {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

/** What stands for a text that only the contract could give an example of. */
export const REPLACE_ME = 'REPLACE_ME';

/* What is made is no larger: beyond, the contract has to show it. */
const MAX_ITEMS = 100;
const MOST_CHARACTERS = 10_000;

/** An example: the contract's own, or one made from the schema, with `REPLACE_ME` for texts of a pattern. */
export function exampleOf(
  document: object,
  { example, examples, schema }: WithExamples,
  hidden: Hidden = 'readOnly',
): unknown {
  const [first] = Object.values(examples ?? {});
  if (example !== undefined) return example;
  return first ? dereferenced(first, document).value : exampleOfSchema({ document, hidden }, schema ?? {});
}

const TEXTS: Readonly<Record<string, string>> = {
  date: '2026-11-24',
  'date-time': '2026-11-24T09:00:00Z',
  time: '09:00:00Z',
  duration: 'P1D',
  uuid: '5f0c7b1e-8a53-4b8b-9f59-0d7c2f6f9d1a',
  email: 'ada@example.com',
  uri: 'https://example.com/',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  byte: 'cGV0',
};

/** What marks the properties that a request or a response does not have. */
export type Hidden = 'readOnly' | 'writeOnly';

/** `wanted` are the fields that what `given` is a part of requires. */
function exampleOfSchema(
  context: { readonly document: object; readonly hidden: Hidden },
  given: Schema,
  around: readonly Schema[] = [],
  wanted: readonly string[] = [],
): unknown {
  const { document, hidden } = context;
  const schema = dereferenced(given, document);
  // What contains itself ends where it may.
  if (around.includes(schema)) return undefined;
  const inner = (child: Schema, ofPart?: readonly string[]) =>
    exampleOfSchema(context, child, [...around, schema], ofPart);
  const { type, items, properties = {}, required = [], allOf, oneOf, anyOf } = schema;
  const { maximum = Infinity, exclusiveMaximum = Infinity, minItems = 0 } = schema;
  const listed = (each: Schema, keyword: string) => (each[keyword] as readonly unknown[] | undefined)?.[0];
  // Beside a reference as well as in what it refers to.
  const shown = [given, schema].flatMap((each) => [each['example'], listed(each, 'examples')]);
  const said = [...shown, schema['default'], schema['const'], listed(schema, 'enum')];
  const known = said.find((each) => each !== undefined);
  if (known !== undefined) return known;
  const ofParts = (allOf ?? []).flatMap(
    (part) => (dereferenced(part, document)['required'] ?? []) as string[],
  );
  const needed = [...wanted, ...required, ...ofParts];
  const [branch] = oneOf ?? anyOf ?? [];
  if (branch) return inner(branch);
  const fields = () => {
    const shown = Object.entries(properties).filter(([, property]) => property[hidden] !== true);
    const all = shown.filter(([name]) => needed.includes(name));
    const more = shown.filter(([name]) => !needed.includes(name));
    const lacking = Math.max(0, Number(schema['minProperties'] ?? 0) - all.length);
    return Object.fromEntries(
      [...all, ...more.slice(0, lacking)].map(([name, property]) => [name, inner(property)]),
    );
  };
  if (allOf) {
    const parts = allOf.map((part) => inner(part, needed));
    return parts.every(isObject) ? (Object.assign(fields(), ...parts) as unknown) : parts[0];
  }
  switch ([type].flat().find((each) => each !== 'null') ?? type) {
    case 'null':
      return null;
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return Math.min(leastOf(schema), Number(maximum), Number(exclusiveMaximum) - 1);
    case 'array':
      return Array.from(
        { length: Math.min(Math.max(1, Number(minItems)), MAX_ITEMS) },
        () => items && inner(items),
      ).filter((item) => item !== undefined);
    case 'object':
      return fields();
    default:
      return textOf(schema);
  }
}

function leastOf({ minimum, exclusiveMinimum = 0, multipleOf: step = 0 }: Schema): number {
  const least = Number(minimum ?? Number(exclusiveMinimum) + 1);
  return step ? Math.ceil(least / Number(step)) * Number(step) : least;
}

function textOf({ format = '', pattern, minLength = 0, maxLength = Infinity }: Schema): string {
  if (pattern !== undefined) return REPLACE_ME;
  const length = Math.min(Number(minLength), MOST_CHARACTERS);
  return TEXTS[format] ?? 'text'.padEnd(length, 'text').slice(0, Number(maxLength));
}
