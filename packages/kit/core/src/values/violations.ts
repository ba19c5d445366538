import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { contractAjv } from '../json/index.ts';
import {
  closedComponents,
  closedSchema,
  decidedComponents,
  decidedIn,
  readSchemas,
  type Schemas,
  type View,
} from '../model/index.ts';

/** In which direction a value goes; undefined stands for a schema as it is written. */
export type Direction = Exclude<View, 'received'> | undefined;

/** What is wrong with a value: nothing if it fits the schema, and has no fields that the contract does not describe. */
export type Violations = (view: Direction, schema: unknown, value: unknown) => readonly ErrorObject[];

export function violationsIn({ schemas }: { readonly schemas: Schemas }): Violations {
  const validators = new Map<Direction, Ajv2020>();
  // Values are tried one after another for the same schema.
  let last: { view: Direction; schema: unknown; validate: ValidateFunction | undefined } | undefined;

  function compiled(view: Direction, schema: unknown): ValidateFunction | undefined {
    if (last && last.view === view && last.schema === schema) return last.validate;
    const validator = validators.get(view) ?? validatorIn(view);
    validators.set(view, validator);
    const closed = closedSchema(view ? decidedIn(view, schema, schemas) : schema, schemas);
    last = { view, schema, validate: compile(validator, closed) };
    return last.validate;
  }

  function validatorIn(view: Direction): Ajv2020 {
    const viewed = view ? readSchemas({ components: decidedComponents(view, schemas) }) : schemas;
    return contractAjv({ verbose: true }, closedComponents(viewed));
  }

  return (view, schema, value) => {
    const validate = compiled(view, schema);
    return !validate || validate(value) ? [] : (validate.errors ?? []);
  };
}

/** Undefined for a broken schema, which accepts everything, because other rules report it. */
function compile(validator: Ajv2020, schema: object): ValidateFunction | undefined {
  try {
    const validate = validator.compile(schema);
    // Ajv would keep the schema forever.
    validator.removeSchema(schema);
    return validate;
  } catch {
    return undefined;
  }
}
