import { contractAjv } from '@kit/contract/contract-ajv';
import type { JsonObject } from '@kit/contract/json-pointer';
import type { ErrorObject } from 'ajv/dist/2020.js';
import { exactly } from './sent-schemas.ts';

interface Schema {
  type: string;
  properties: Record<string, object>;
}

/** The fault of a record of an import file. */
export class InvalidRecord extends Error {}

/** Checks imported records against a schema of the contract with `more` fields. Integers must be exact. */
export function recordCheck<Item>(
  document: JsonObject,
  name: string,
  more: Record<string, object> = {},
): (value: unknown) => Item {
  const { components } = document as { components: { schemas: Record<string, Schema> } };
  const schema = components.schemas[name];
  if (!schema) throw new Error(`the contract has no schema ${name}`);
  const id = { ...schema.properties['id'], minimum: 1 };
  const properties = { ...schema.properties, id, ...more };
  const taken = exactly({ ...schema, properties, additionalProperties: false });
  const validate = contractAjv({ allErrors: true }).compile(taken as JsonObject);
  return (value) => {
    if (!validate(value)) throw new InvalidRecord((validate.errors ?? []).map(reasonOf).join('; '));
    return value as Item;
  };
}

function reasonOf({ instancePath, keyword, params, message = '' }: ErrorObject): string {
  const field = instancePath.slice(1);
  if (keyword === 'additionalProperties')
    return `unknown field ${JSON.stringify(params['additionalProperty'])}`;
  if (keyword === 'enum')
    return `${field} must be one of ${(params['allowedValues'] as string[]).join(', ')}`;
  if (keyword === 'format' && params['format'] === 'int64')
    return `${field} must be an integer of at most 2^53-1`;
  return `${field} ${message}`.trim();
}
