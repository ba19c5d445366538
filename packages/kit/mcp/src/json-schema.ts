import { dereferenced, objectAt } from '@kit/contract/described-operation';
import { isObject, resolve, type JsonObject } from '@kit/contract/json-pointer';
import { preferred } from '@kit/contract/media-type';
import { schemaIn, withSubschemas, type View } from '@kit/contract/schema-view';

/** What OpenAPI adds to JSON Schema, and what costs tokens and tells a model nothing. */
const LEFT_OUT = /^(x-.*|discriminator|example|examples|externalDocs|readOnly|writeOnly|title|\$comment)$/;

/** The formats that JSON Schema does not have (OpenAPI 3.1 §4.4). */
const FORMATS_OF_OPENAPI = ['int32', 'int64', 'float', 'double', 'byte', 'binary', 'password'];

/** The schema of a request or response body, if it is JSON. */
export function schemaOf(body: JsonObject): unknown {
  const [, media] = preferred(objectAt(body, 'content')) ?? [];
  return isObject(media) ? media['schema'] : undefined;
}

/** A schema of the contract, as JSON Schema 2020-12 that stands alone: what it refers to is in its `$defs`. */
export function jsonSchema(view: View, schema: JsonObject, document: JsonObject): JsonObject {
  const definitions = new Map<string, unknown>();
  const convert = (each: unknown) =>
    plain(schemaIn(view, each, { resolve: (child) => dereferenced(child, document), refer }));
  function refer(reference: string): string {
    const name = reference.split('/').at(-1) ?? '';
    if (!definitions.has(name)) {
      // Before it is converted: it may refer to itself.
      definitions.set(name, {});
      definitions.set(name, convert(resolve(document, reference)));
    }
    return `#/$defs/${name}`;
  }
  const converted = convert(schema) as JsonObject;
  return { ...converted, ...(definitions.size > 0 && { $defs: Object.fromEntries(definitions) }) };
}

function plain(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const kept = Object.entries(schema).filter(
    ([keyword, value]) =>
      !LEFT_OUT.test(keyword) && !(keyword === 'format' && FORMATS_OF_OPENAPI.includes(value as string)),
  );
  const told = withSubschemas(Object.fromEntries(kept), plain);
  const { description, properties } = told;
  if (typeof description === 'string') told['description'] = description.trim();
  // `false`, which is a property that must not be there, is a schema that many MCP clients do not expect.
  if (isObject(properties))
    told['properties'] = Object.fromEntries(Object.entries(properties).filter(([, each]) => each !== false));
  return told;
}
