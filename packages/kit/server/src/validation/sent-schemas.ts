import { contractAjv } from '@kit/contract/contract-ajv';
import { dereferenced } from '@kit/contract/described-operation';
import { isObject, type JsonObject } from '@kit/contract/json-pointer';
import { componentsIn, schemaIn, withSubschemas } from '@kit/contract/schema-view';
import type { ValidateFunction } from 'ajv/dist/2020.js';

/** The name under which the validator knows the contract. */
const CONTRACT = 'contract';

/**
 * Compiles schemas of `document` for what requests send, and fills in defaults. The components are registered once: a
 * schema only compiles those that it reaches.
 */
export function sentSchemas(document: JsonObject): (schema: unknown) => ValidateFunction {
  // `generate` has validated the schemas.
  const ajv = contractAjv({ useDefaults: true });
  const schemas = Object.entries(componentsIn('sent', document).schemas).map(([name, schema]) => [
    name,
    exactly(schema),
  ]);
  ajv.addSchema({ $id: CONTRACT, components: { schemas: Object.fromEntries(schemas) as JsonObject } });
  const lookup = {
    resolve: (each: unknown) => dereferenced(each, document),
    refer: (reference: string) => CONTRACT + reference,
  };
  return (schema) => ajv.compile(exactly(schemaIn('sent', schema, lookup)) as JsonObject);
}

/** `schema` in which every integer must be exact in JSON, and within its format. */
export function exactly(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const isInteger = [schema['type']].flat().includes('integer');
  return { ...(isInteger && { format: 'int64' }), ...withSubschemas(schema, exactly) };
}
