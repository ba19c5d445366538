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

/** A parameter, header or body that an example is for. */
export interface WithExamples {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

/** Placeholder for text that only the contract could exemplify. */
export const REPLACE_ME = 'REPLACE_ME';

/* Size limit of generated examples. Larger ones must come from the contract. */
const MAX_ITEMS = 100;
const MOST_CHARACTERS = 10_000;

export interface ExampleOptions {
  /** A request by default; in a response, a `readOnly` property may be required. */
  readonly view?: 'sent' | 'response';
  /** Makes text that matches a schema's pattern; by default `REPLACE_ME`. */
  readonly patternText?: (schema: Schema) => string;
  /** Ignores the examples of the contract. */
  readonly ignoresShown?: boolean;
}

/** The contract's example, or one generated from the schema. */
export function exampleOf(document: object, media: WithExamples, options: ExampleOptions = {}): unknown {
  const [shown] = options.ignoresShown ? [] : shownExamples(document, media);
  return shown === undefined ? exampleOfSchema({ ...options, document }, media.schema ?? {}) : shown;
}

/** The examples of the contract, not of its schema. */
export function shownExamples(document: object, { example, examples = {} }: WithExamples): unknown[] {
  const named = Object.values(examples).map((example) => dereferenced(example, document).value);
  return [example, ...named].filter((item) => item !== undefined);
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

interface Making extends ExampleOptions {
  readonly document: object;
}

const HIDDEN = { sent: 'readOnly', response: 'writeOnly' } as const;
const OBJECT_KEYWORDS = ['properties', 'required', 'additionalProperties', 'minProperties'];

/** `wanted` are the fields that the surrounding schema requires. */
function exampleOfSchema(
  making: Making,
  given: Schema,
  around: readonly Schema[] = [],
  wanted: readonly string[] = [],
): unknown {
  const schema = dereferenced(given, making.document);
  // A recursive schema ends where it may.
  if (around.includes(schema)) return undefined;
  const known = statedExampleOf(making, given, schema);
  if (known !== undefined) return known;
  const inner = (child: Schema, ofPart?: readonly string[]) =>
    exampleOfSchema(making, child, [...around, schema], ofPart);
  const { items, required = [], allOf = [], oneOf, anyOf } = schema;
  const { maximum = Infinity, exclusiveMaximum = Infinity, minItems = 0 } = schema;
  const requiredBy = (part: Schema) => dereferenced(part, making.document).required ?? [];
  const needed = [...wanted, ...required, ...allOf.flatMap(requiredBy)];
  const branches = oneOf ?? anyOf ?? [];
  const inBranch = () => {
    for (const branch of branches) {
      const own = [...needed, ...requiredBy(branch)];
      const example = inner(branch, own);
      if (example !== undefined)
        return isObject(example) ? { ...fieldsOf(making, schema, own, inner), ...example } : example;
    }
    return undefined;
  };
  if (allOf.length > 0 || branches.length > 0) {
    const parts = [...allOf.map((part) => inner(part, needed)), inBranch()];
    const objects = parts.filter(isObject);
    if (objects.length === 0) return parts.find((part) => part !== undefined);
    return Object.assign(fieldsOf(making, schema, needed, inner), ...objects) as unknown;
  }
  switch (typeOf(schema)) {
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
      return fieldsOf(making, schema, needed, inner);
    default:
      return textOf(making, schema);
  }
}

/** The value that a schema itself states, also next to a reference. */
function statedExampleOf({ ignoresShown }: Making, given: Schema, schema: Schema): unknown {
  const first = (schema: Schema, keyword: string) => (schema[keyword] as readonly unknown[] | undefined)?.[0];
  const shown = ignoresShown
    ? []
    : [given, schema].flatMap((item) => [item['example'], first(item, 'examples')]);
  const candidates = [...shown, schema['default'], schema['const'], first(schema, 'enum')];
  return candidates.find((example) => example !== undefined);
}

function typeOf({ type, items, ...schema }: Schema): string | undefined {
  const types = [type ?? []].flat();
  if (types.length > 0) return types.find((type) => type !== 'null') ?? 'null';
  if (OBJECT_KEYWORDS.some((keyword) => keyword in schema)) return 'object';
  return items ? 'array' : undefined;
}

/** The required fields, and others up to `minProperties`. */
function fieldsOf(
  { view = 'sent' }: Making,
  { properties = {}, additionalProperties, minProperties = 0 }: Schema,
  needed: readonly string[],
  inner: (child: Schema) => unknown,
): Record<string, unknown> {
  const visible = Object.entries(properties).filter(([, property]) => property[HIDDEN[view]] !== true);
  const least = Number(minProperties);
  const chosen = visible.filter(([name]) => needed.includes(name));
  const others = visible.filter(([name]) => !needed.includes(name));
  chosen.push(...others.slice(0, Math.max(0, least - chosen.length)));
  const more: Schema = typeof additionalProperties === 'object' ? additionalProperties : {};
  for (let count = chosen.length; count < Math.min(least, MAX_ITEMS); count += 1)
    chosen.push([`name${count + 1}`, more]);
  return Object.fromEntries(chosen.map(([name, property]) => [name, inner(property)]));
}

function leastOf({ minimum, exclusiveMinimum = 0, multipleOf: step = 0 }: Schema): number {
  const least = Number(minimum ?? Number(exclusiveMinimum) + 1);
  return step ? Math.ceil(least / Number(step)) * Number(step) : least;
}

function textOf({ patternText }: Making, schema: Schema): string {
  const { format = '', pattern, minLength = 0, maxLength = Infinity } = schema;
  if (pattern !== undefined) return patternText?.(schema) ?? REPLACE_ME;
  const length = Math.min(Number(minLength), MOST_CHARACTERS);
  return TEXTS[format] ?? 'text'.padEnd(length, 'text').slice(0, Number(maxLength));
}
