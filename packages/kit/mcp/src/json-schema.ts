import {
  componentId,
  componentsById,
  decidedComponents,
  decidedIn,
  withExtensions,
  withTags,
  withSubschemas,
  type Schemas,
  schemaIn,
  type View,
} from '@contract-kit/core/model';
import { isObject, resolve, stepsOf, type JsonObject } from '@contract-kit/core/json';

/** Keywords of OpenAPI, and keywords that cost tokens without use for a model. */
const LEFT_OUT =
  /^(x-.*|discriminator|example|examples|externalDocs|readOnly|writeOnly|title|xml|\$comment|\$schema)$/;

/** Formats of JSON Schema that its validators know: they print a warning for others. */
const FORMATS =
  /^(date-time|date|time|duration|email|hostname|ipv4|ipv6|uri|uri-reference|uri-template|uuid|json-pointer|relative-json-pointer|regex)$/;

/** A schema of the contract as self-contained JSON Schema 2020-12, with references in its `$defs`. */
export function jsonSchema(view: View, schema: JsonObject, schemas: Schemas): JsonObject {
  const { converted, references } = convert(view, schema, schemas);
  const definitions = new Map<string, unknown>();
  const add = (reference: string) => {
    const name = nameOf(reference);
    if (definitions.has(name)) return;
    const definition = definitionOf(view, reference, schemas);
    definitions.set(name, definition.converted);
    definition.references.forEach(add);
  };
  references.forEach(add);
  return {
    ...(converted as JsonObject),
    ...(definitions.size > 0 && { $defs: Object.fromEntries(definitions) }),
  };
}

interface Converted {
  readonly converted: unknown;
  /** What it refers to. */
  readonly references: ReadonlySet<string>;
}

/** All references lead to components, whose names differ. */
const nameOf = (reference: string) => stepsOf(reference).at(-1) ?? '';

function convert(view: View, schema: unknown, schemas: Schemas): Converted {
  const references = new Set<string>();
  const refer = (reference: string) => {
    references.add(reference);
    return `#/$defs/${nameOf(reference)}`;
  };
  return {
    converted: forMcp(schemaIn(view, withTags(schema, schemas), { schemas, refer }), view),
    references,
  };
}

/** The components of a contract as definitions, by view and reference: many tools have the same ones. */
const known = new WeakMap<Schemas, Map<string, Converted>>();

function definitionOf(view: View, reference: string, schemas: Schemas): Converted {
  const definitions = known.get(schemas) ?? new Map<string, Converted>();
  known.set(schemas, definitions);
  const key = `${view} ${reference}`;
  const definition =
    definitions.get(key) ??
    convert(view, withExtensions(resolve(schemas.document, reference), schemas), schemas);
  definitions.set(key, definition);
  return definition;
}

/**
 * A schema of arguments for checking them: a discriminator decides which alternative counts, so that only what is wrong
 * with that one is reported.
 */
export function checkSchema(schema: JsonObject, schemas: Schemas): JsonObject {
  return forMcp(
    decidedIn('sent', schema, schemas, (reference) => componentId(reference)),
    'sent',
  ) as JsonObject;
}

/** The components by their ids, for the references of `checkSchema`. */
export function checkComponents(schemas: Schemas): Record<string, JsonObject | boolean> {
  const components = Object.entries(componentsById(decidedComponents('sent', schemas).schemas));
  return Object.fromEntries(
    components.map(([id, schema]) => [id, forMcp(schema, 'sent') as JsonObject | boolean]),
  );
}

function forMcp(schema: unknown, view: View): unknown {
  if (!isObject(schema)) return schema;
  const kept = Object.entries(schema).filter(
    ([keyword, value]) =>
      !LEFT_OUT.test(keyword) &&
      !(keyword === 'format' && !FORMATS.test(String(value))) &&
      !(keyword === 'pattern' && !isUnicode(String(value))) &&
      !(keyword === 'patternProperties' && isObject(value) && !Object.keys(value).every(isUnicode)),
  );
  const result = withSubschemas(Object.fromEntries(kept), (child) => forMcp(child, view));
  const { description, properties } = result;
  if (typeof description === 'string') result['description'] = description.trim();
  // MCP clients validate results. They divide binary fractions, so that 1070468.14 is no multiple of 0.01,
  if (view === 'response' && !Number.isInteger(result['multipleOf'])) delete result['multipleOf'];
  // and would find an inherited `constructor` or `toString` in each of them.
  if (view === 'response' && isObject(properties)) takeOutInherited(result, properties);
  // Many MCP clients do not expect the schema `false` of a forbidden property.
  if (isObject(properties))
    result['properties'] = Object.fromEntries(
      Object.entries(properties).filter(([, value]) => value !== false),
    );
  return result;
}

/** Validators of JSON Schema read patterns as Unicode, which has fewer escapes: `\,` is none. The server reads both. */
function isUnicode(pattern: string): boolean {
  try {
    return Boolean(new RegExp(pattern, 'u'));
  } catch {
    return false;
  }
}

function takeOutInherited(schema: JsonObject, properties: JsonObject): void {
  const isNotInherited = (name: string) => !(name in Object.prototype);
  const names = Object.keys(properties);
  if (names.every(isNotInherited)) return;
  for (const name of names) if (!isNotInherited(name)) delete properties[name];
  if (Array.isArray(schema['required']))
    schema['required'] = (schema['required'] as string[]).filter(isNotInherited);
  delete schema['additionalProperties'];
  delete schema['unevaluatedProperties'];
}
