import { contractAjv, type JsonObject } from '@contract-kit/core/json';
import { objectAt, readSchemas } from '@contract-kit/core/model';
import type { ErrorObject } from 'ajv/dist/2020.js';
import { exactly } from './sent-schemas.ts';

/** The fault of a record of an import file. */
export class InvalidRecord extends Error {}

/**
 * Checks imported records against the schema `name` of the contract, references included, with `more` fields and no others.
 * An integer id is at least 1, and integers must be exact. The check throws an InvalidRecord.
 */
export function recordCheck<Item>(
  document: JsonObject,
  name: string,
  more: Readonly<Record<string, object>> = {},
): (value: unknown) => Item {
  const schemas = readSchemas(document);
  const components = objectAt(objectAt(schemas.document, 'components'), 'schemas');
  if (!Object.hasOwn(components, name)) throw new Error(`the contract has no schema ${name}`);
  const schema = { ...schemas.whole(components[name]) };
  // It would reject `more`.
  delete schema['additionalProperties'];
  const { id } = schemas.fieldsOf(schema);
  const own = { ...objectAt(schema, 'properties'), ...(id !== undefined && { id: atLeastOne(id) }), ...more };
  const taken = exactly({ ...schema, properties: own, unevaluatedProperties: false }) as JsonObject;
  const exact = Object.entries(components).map(([name, schema]) => [name, exactly(schema)]);
  // Its references point to components, so it has them.
  const validate = contractAjv({ allErrors: true }).compile({
    ...taken,
    components: { schemas: Object.fromEntries(exact) as JsonObject },
  });
  return (value) => {
    if (!validate(value)) throw new InvalidRecord((validate.errors ?? []).map(reasonOf).join('; '));
    return value as Item;
  };
}

const atLeastOne = (id: unknown) => ({ ...(id as JsonObject), minimum: 1 });

function reasonOf({ instancePath, keyword, params, message = '' }: ErrorObject): string {
  const field = instancePath.slice(1);
  if (keyword === 'unevaluatedProperties' || keyword === 'additionalProperties')
    return `unknown field ${JSON.stringify(params['unevaluatedProperty'] ?? params['additionalProperty'])}`;
  if (keyword === 'enum')
    return `${field} must be one of ${(params['allowedValues'] as string[]).join(', ')}`;
  if (keyword === 'format' && params['format'] === 'int64')
    return `${field} must be an integer of at most 2^53-1`;
  return `${field} ${message}`.trim();
}
