import { errorTexts } from '@contract-kit/core/errors';
import { contractAjv, isObject, type JsonObject } from '@contract-kit/core/json';
import {
  componentId,
  componentsById,
  decidedComponents,
  decidedIn,
  isComposition,
  referenceIn,
  withSubschemas,
  type Model,
  type Schemas,
} from '@contract-kit/core/model';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { invalidRequest } from '../http/api-error.ts';
import { branchesWithDefaults, createFiller } from './defaults.ts';
import { violationsIn, type FoundViolation } from './violations.ts';

/** The most checks of a request's values against components and branches: about 40 ms. */
const MOST_CHECKS = 30_000;

/** A schema that a recursion goes through: each branch may double the time that its values take. */
const COUNTED = 'x-counted';
const ROOT = 'root';

/** Whether an operation is compiled for its first request: all of a large contract would take many seconds at the start. */
export function isCompiledLate({ operations }: Pick<Model, 'operations'>): boolean {
  return operations.length > MOST_AT_START;
}

const MOST_AT_START = 200;

/** What is wrong with a value of a request, which gets its defaults if it is valid. */
export type Check = (value: unknown) => readonly FoundViolation[];

/** Compiles a schema for requests. Throws if it cannot be compiled. */
export type CompileSent = (schema: unknown) => Check;

/** Compiles schemas for requests. Components are registered once. */
export function sentSchemas(schemas: Schemas): CompileSent {
  // `generate` has validated the schemas.
  const ajv = contractAjv({ allErrors: true });
  let checks = 0;
  ajv.addKeyword({
    keyword: COUNTED,
    before: 'not',
    validate(place: unknown) {
      checks = place === ROOT ? 0 : checks + 1;
      if (checks > MOST_CHECKS) throw invalidRequest(errorTexts.TOO_MANY_VALUES);
      return true;
    },
  });
  const components = componentsById(decidedComponents('sent', schemas).schemas);
  // After the keyword, which they have.
  for (const [id, schema] of Object.entries(components))
    ajv.addSchema(counted(exactly(schema)) as JsonObject | boolean, id);
  const compile = (schema: unknown) => {
    const sent = decidedIn('sent', schema, schemas, (reference) => componentId(reference));
    return ajv.compile({ [COUNTED]: ROOT, allOf: [exactly(sent)] });
  };
  const branches = new Map<unknown, ValidateFunction>();
  const checkOf = (schema: unknown): Check => {
    const validate = compile(schema);
    for (const branch of branchesWithDefaults(schema, schemas))
      if (!branches.has(branch)) branches.set(branch, compile(branch));
    const fill = createFiller(schema, schemas, (branch, value) => branches.get(branch)?.(value) === true);
    return (value) => {
      if (!validate(value)) return violationsIn(validate.errors);
      fill?.(value);
      return [];
    };
  };
  // Many operations take the same body.
  const compiled = new Map<string, Check>();
  return (schema) => {
    const text = JSON.stringify(schema);
    const check = compiled.get(text) ?? checkOf(schema);
    compiled.set(text, check);
    return check;
  };
}

/** `schema` in which every integer must be exact in JSON, and within its format. */
export function exactly(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const isInteger = [schema['type']].flat().includes('integer');
  const change = (child: unknown, place: string) =>
    isComposition(place) ? counted(exactly(child)) : exactly(child);
  return { ...(isInteger && { format: 'int64' }), ...withSubschemas(schema, change) };
}

function counted(schema: unknown): unknown {
  return isObject(schema) && referenceIn(schema) === undefined ? { ...schema, [COUNTED]: true } : schema;
}
