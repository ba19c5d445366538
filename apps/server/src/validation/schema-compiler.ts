import { narrowFormats } from '@petstore/contract/narrow-formats';
import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isObject } from '@petstore/contract/json-pointer';
import { withSubschemas } from '@petstore/contract/schema-view';

/** Compiles schemas of the contract, by which dates must exist, and int64 be integers that JSON carries exactly. */
export function schemaCompiler(options: Options): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, ...options });
  addFormats.default(ajv, { mode: 'full' });
  narrowFormats(ajv);
  return ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger });
}

/** `schema` where every integer must be one that JSON carries exactly, and no more than its format says. */
export function exactly(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const isInteger = [schema['type']].flat().includes('integer');
  return { ...(isInteger && { format: 'int64' }), ...withSubschemas(schema, exactly) };
}
