import { contractAjv } from '@kit/contract/contract-ajv';
import type { Contract } from '@kit/contract';
import { dereferenced, describedOperation, objectAt } from '@kit/contract/described-operation';
import { isObject, type JsonObject } from '@kit/contract/json-pointer';
import { preferred } from '@kit/contract/media-type';
import { componentsIn, schemaIn } from '@kit/contract/schema-view';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { invalidRequest, type ApiError } from '../http/api-error.ts';
import { exactly } from './exactly.ts';

/** The name under which the validator knows the contract. */
const CONTRACT = 'contract';

/** Holds the parsed body of a request against the contract and fills in defaults. Throws an ApiError where it differs. */
export type BodyValidator = (operationId: string, body: unknown) => void;

/** Compiles the body of every operation that has one. Throws where a schema cannot be compiled. */
export function createBodyValidator({ document, operations }: Contract): BodyValidator {
  // `generate` has held the schemas against JSON Schema.
  const ajv = contractAjv({ useDefaults: true });
  const { schemas } = componentsIn('sent', document);
  const exact = Object.entries(schemas).map(([name, schema]) => [name, exactly(schema)] as const);
  ajv.addSchema({ $id: CONTRACT, components: { schemas: Object.fromEntries(exact) } });

  const validators = new Map<string, ValidateFunction>();
  for (const [id, operation] of Object.entries(operations)) {
    if (!operation.body) continue;
    const { definition } = describedOperation(document, operation);
    const requestBody = dereferenced(definition['requestBody'], document);
    const [, media] = preferred(objectAt(requestBody, 'content')) ?? [];
    const schema = isObject(media) ? (media['schema'] ?? {}) : {};
    const sent = schemaIn('sent', schema, {
      resolve: (child) => dereferenced(child, document),
      refer: (reference) => CONTRACT + reference,
    });
    validators.set(id, ajv.compile(exactly(sent) as JsonObject));
  }

  return (operationId, body) => {
    const validator = validators.get(operationId);
    if (!validator) throw new Error(`${operationId} has no body that can be validated`);
    if (!isValid(validator, body)) throw refusalOf(validator.errors?.at(-1));
  };
}

function isValid(validator: ValidateFunction, body: unknown): boolean {
  try {
    return validator(body);
  } catch (error) {
    if (error instanceof RangeError) throw invalidRequest('The body is nested too deeply');
    throw error;
  }
}

function refusalOf(error: ErrorObject | undefined): ApiError {
  const { instancePath = '', keyword = '', message = 'is invalid', params = {} } = error ?? {};
  const wrong =
    keyword === 'false schema'
      ? 'is read-only'
      : params['format'] === 'int64'
        ? 'must be an integer within ±(2^53−1)'
        : message;
  const extra = 'additionalProperty' in params ? ` (${String(params['additionalProperty'])})` : '';
  return invalidRequest(`body${instancePath} ${wrong}${extra}`);
}
