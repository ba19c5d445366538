import type { Ajv2020, ErrorObject } from 'ajv/dist/2020.js';
import type { Json } from '../source-document.ts';

/** Why `value` violates `schema`; a broken schema accepts everything, because other rules report it. */
export function violationOf(validator: Ajv2020, schema: Json, value: Json): ErrorObject | undefined {
  try {
    const validate = validator.compile(schema);
    // Ajv would keep the schema forever.
    validator.removeSchema(schema as object);
    return validate(value) ? undefined : validate.errors?.at(-1);
  } catch {
    return undefined;
  }
}
