import { contractAjv } from '@kit/contract/contract-ajv';
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { SourceDocument, Json } from '../source-document.ts';

/** Cached with the schema: those of headers are checked for each response. */
const compiled = new WeakMap<object, ValidateFunction>();

/** Why `value` violates `schema`; a broken schema accepts everything, because other rules report it. */
export function violationOf(validator: Ajv2020, schema: Json, value: Json): ErrorObject | undefined {
  try {
    const validate = compiled.get(schema) ?? validator.compile(schema);
    if (!compiled.has(schema)) {
      // Ajv would keep the schema forever.
      validator.removeSchema(schema as object);
      compiled.set(schema, validate);
    }
    return validate(value) ? undefined : validate.errors?.at(-1);
  } catch {
    return undefined;
  }
}

let ajv: Ajv2020 | undefined;

/** Whether `value` satisfies `schema` in the contract. */
export function isValid({ document }: SourceDocument, schema: Json, value: Json): boolean {
  ajv ??= contractAjv({ logger: false });
  // Ajv goes through all of it for each schema.
  const refers = JSON.stringify(schema).includes('"$ref"');
  const { components } = document;
  return !violationOf(ajv, refers ? { ...schema, components } : schema, value);
}
