import { narrowFormats } from '@petstore/contract/narrow-formats';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Contract, Json } from '../contract.ts';

export function newValidator(): Ajv2020 {
  const made = new Ajv2020({ strict: false, validateSchema: false, logger: false });
  addFormats.default(made);
  narrowFormats(made);
  return made.addFormat('int64', { type: 'number', validate: Number.isSafeInteger });
}

/** As long as there is the schema: those of headers are asked about with each reply. */
const compiled = new WeakMap<object, ValidateFunction>();

/** Why `schema` does not let `value` through; what cannot be tried is let through, and found elsewhere. */
export function misfit(validator: Ajv2020, schema: Json, value: Json): ErrorObject | undefined {
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
export function fits({ document }: Contract, schema: Json, value: Json): boolean {
  ajv ??= newValidator();
  // Ajv goes through all of it for each schema.
  const refers = JSON.stringify(schema).includes('"$ref"');
  const { components } = document;
  return !misfit(ajv, refers ? { ...schema, components } : schema, value);
}
