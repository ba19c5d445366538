import { contractAjv } from '@kit/contract/contract-ajv';
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { SourceDocument, Json } from '../source-document.ts';

/** As long as there is the schema: those of headers are asked about with each response. */
const compiled = new WeakMap<object, ValidateFunction>();

/** Why `schema` does not let `value` through; what cannot be tried is let through, and found elsewhere. */
export function violationOf(validator: Ajv2020, schema: Json, value: Json): ErrorObject | undefined {
  try {
    const validate = compiled.get(schema) ?? validator.compile(schema);
    if (!compiled.has(schema)) {
      // It would remember the schema for good.
      validator.removeSchema(schema as object);
      compiled.set(schema, validate);
    }
    return validate(value) ? undefined : validate.errors?.at(-1);
  } catch {
    return undefined;
  }
}

let ajv: Ajv2020 | undefined;

/** Whether the contract lets `value` through where `schema` is. */
export function isValid({ document }: SourceDocument, schema: Json, value: Json): boolean {
  ajv ??= contractAjv({ logger: false });
  // Ajv goes through all of it for each schema.
  const refers = JSON.stringify(schema).includes('"$ref"');
  const { components } = document;
  return !violationOf(ajv, refers ? { ...schema, components } : schema, value);
}
