import { isObject } from '@contract-kit/core/json';
import type { Schemas } from '@contract-kit/core/model';

/** Tells whether a valid value is of one alternative. */
type IsOf = (branch: unknown, value: unknown) => boolean;

/**
 * Fills the defaults of `schema` into a valid value, also behind references. In alternatives only if exactly one of them
 * fits. Undefined if the schema leads to no default.
 */
export function createFiller(
  schema: unknown,
  schemas: Schemas,
  isOf: IsOf,
): ((value: unknown) => void) | undefined {
  if (!leadsToDefault(schema, schemas)) return undefined;
  return (value) => fill(schema, value, schemas, isOf);
}

/** The alternatives below `schema` that have defaults, to compile before the first request. */
export function branchesWithDefaults(schema: unknown, schemas: Schemas): unknown[] {
  const found: unknown[] = [];
  visit(schema, schemas, (inner) => {
    const branches = schemas.branchesOf(inner);
    if (branches.some((branch) => leadsToDefault(branch, schemas))) found.push(...branches);
  });
  return found;
}

function leadsToDefault(schema: unknown, schemas: Schemas): boolean {
  let found = false;
  visit(schema, schemas, (inner) => {
    const fields = Object.values(schemas.fieldsOf(inner));
    found ||= fields.some((field) => schemas.defaultOf(field) !== undefined);
  });
  return found;
}

/** Calls `see` for a schema, and for those of its fields, items and alternatives, each once. */
function visit(
  schema: unknown,
  schemas: Schemas,
  see: (schema: unknown) => void,
  seen = new Set<unknown>(),
): void {
  const parts = schemas.partsOf(schema);
  if (parts.length === 0 || parts.every((part) => seen.has(part))) return;
  for (const part of parts) seen.add(part);
  see(schema);
  const children = [
    ...Object.values(schemas.fieldsOf(schema)),
    schemas.itemsOf(schema),
    schemas.othersOf(schema),
    ...schemas.branchesOf(schema),
  ];
  for (const child of children) visit(child, schemas, see, seen);
}

function fill(schema: unknown, value: unknown, schemas: Schemas, isOf: IsOf): void {
  if (Array.isArray(value)) {
    const items = schemas.itemsOf(schema);
    for (const item of value as unknown[]) fill(items, item, schemas, isOf);
    return;
  }
  if (!isObject(value)) return;
  const fields = schemas.fieldsOf(schema);
  for (const [name, field] of Object.entries(fields)) {
    if (schemas.isAbsentIn('received', field) || Object.hasOwn(value, name)) continue;
    const given = schemas.defaultOf(field);
    if (given !== undefined) value[name] = structuredClone(given);
  }
  const others = schemas.othersOf(schema);
  for (const [name, item] of Object.entries(value))
    fill(Object.hasOwn(fields, name) ? fields[name] : others, item, schemas, isOf);
  const branches = schemas.branchesOf(schema);
  if (branches.length === 0) return;
  const fitting = branches.filter((branch) => isOf(branch, value));
  if (fitting.length === 1) fill(fitting[0], value, schemas, isOf);
}
