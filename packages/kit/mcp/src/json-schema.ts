import {
  decidedComponents,
  decidedIn,
  withExtensions,
  withTags,
  componentReference,
  referenceIn,
  referTo,
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
  const definitions = new Map<string, unknown>();
  const names = new Map<string, string>();
  const convert = (value: unknown) =>
    forMcp(schemaIn(view, withTags(value, schemas), { schemas, refer }), view);
  function refer(reference: string): string {
    const known = names.get(reference);
    if (known !== undefined) return `#/$defs/${known}`;
    const [last = ''] = stepsOf(reference).slice(-1);
    let name = last;
    for (let next = 2; definitions.has(name); next += 1) name = `${last}${next}`;
    names.set(reference, name);
    // Before the conversion, because it may be recursive.
    definitions.set(name, {});
    definitions.set(name, convert(withExtensions(resolve(schemas.document, reference), schemas)));
    return `#/$defs/${name}`;
  }
  const converted = convert(schema) as JsonObject;
  return { ...converted, ...(definitions.size > 0 && { $defs: Object.fromEntries(definitions) }) };
}

/**
 * A schema of arguments for checking them: a discriminator decides which alternative counts, so that only what is wrong
 * with that one is reported.
 */
export function checkSchema(schema: JsonObject, schemas: Schemas, definitions: JsonObject): JsonObject {
  const decided = forMcp(decidedIn('sent', schema, schemas, toDefinition), 'sent') as JsonObject;
  return { ...decided, $defs: definitions };
}

/** The components, for the references of `checkSchema`. */
export function checkDefinitions(schemas: Schemas): JsonObject {
  return Object.fromEntries(
    Object.entries(decidedComponents('sent', schemas).schemas).map(([name, schema]) => [
      name,
      forMcp(amongDefinitions(schema), 'sent'),
    ]),
  );
}

const toDefinition = (reference: string) => reference.replace(componentReference('schemas', ''), '#/$defs/');

function amongDefinitions(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const reference = referenceIn(schema);
  const own = reference === undefined ? schema : { ...schema, ...referTo(toDefinition(reference)) };
  return withSubschemas(own, amongDefinitions);
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
