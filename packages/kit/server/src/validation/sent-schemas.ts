import { contractAjv } from '@kit/contract/contract-ajv';
import { schemasOf } from '@kit/contract/model';
import { isObject, type JsonObject } from '@kit/contract/json-pointer';
import { COMPOSITIONS, componentsIn, schemaIn, withSubschemas } from '@kit/contract/schema-view';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { invalidRequest } from '../http/api-error.ts';

/** The most checks of a request's values against components and branches: about 40 ms. */
const MOST_CHECKS = 30_000;

/** A schema that a recursion goes through: each branch may double the time that its values take. */
const COUNTED = 'x-counted';
const ROOT = 'root';

/** The name under which the validator knows the contract. */
const CONTRACT = 'contract';

/** Compiles schemas of `document` for requests, with their defaults. Components are registered once. */
export function sentSchemas(document: JsonObject): (schema: unknown) => ValidateFunction {
  // `generate` has validated the schemas.
  const ajv = contractAjv({ useDefaults: true });
  let checks = 0;
  ajv.addKeyword({
    keyword: COUNTED,
    before: 'not',
    validate(place: unknown) {
      checks = place === ROOT ? 0 : checks + 1;
      if (checks > MOST_CHECKS)
        throw invalidRequest(
          'The request has more values than can be checked: send fewer, or nest them less',
        );
      return true;
    },
  });
  const schemas = Object.entries(componentsIn('sent', document).schemas).map(([name, schema]) => [
    name,
    counted(exactly(schema)),
  ]);
  ajv.addSchema({ $id: CONTRACT, components: { schemas: Object.fromEntries(schemas) as JsonObject } });
  const lookup = {
    schemas: schemasOf(document),
    refer: (reference: string) => CONTRACT + reference,
  };
  return (schema) => ajv.compile({ [COUNTED]: ROOT, allOf: [exactly(schemaIn('sent', schema, lookup))] });
}

/** `schema` in which every integer must be exact in JSON, and within its format. */
export function exactly(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const isInteger = [schema['type']].flat().includes('integer');
  const change = (child: unknown, place: string) =>
    COMPOSITIONS.some((item) => item === place) ? counted(exactly(child)) : exactly(child);
  return { ...(isInteger && { format: 'int64' }), ...withSubschemas(schema, change) };
}

function counted(schema: unknown): unknown {
  return isObject(schema) && !('$ref' in schema) ? { ...schema, [COUNTED]: true } : schema;
}
