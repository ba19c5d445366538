import { isObject, resolve, stepsOf, type JsonObject } from '../json/index.ts';
import { isAnnotation } from './keywords.ts';
import type { Pointer } from './types.ts';

/** The keyword of a reference (OpenAPI 3.1 §4.8.23). */
export const REFERENCE = '$ref';

/** The most references in a row: they may form a circle. */
const MAX_HOPS = 32;

/** The target of a reference, such as `#/components/schemas/Loan`; undefined if `value` is none. */
export function referenceIn(value: unknown): string | undefined {
  const reference = isObject(value) ? value[REFERENCE] : undefined;
  return typeof reference === 'string' ? reference : undefined;
}

export function referTo(reference: string): JsonObject {
  return { [REFERENCE]: reference };
}

export function componentReference(section: string, name: string): string {
  return `#/components/${section}/${name}`;
}

/** The name of the component in `section` that `value` is by reference; undefined if it is none, or has keywords next to it. */
export function componentIn(section: string, value: unknown): string | undefined {
  const reference = referenceIn(value) ?? '';
  const name = reference.slice(componentReference(section, '').length);
  const isAlone = Object.keys(Object(value) as object).every((key) => key === REFERENCE || isAnnotation(key));
  return isAlone && name !== '' && reference === componentReference(section, name) && !name.includes('/')
    ? name
    : undefined;
}

/** The value that `value` at `pointer` leads to through references, and its place. The value is undefined if there is none. */
export function follow(
  document: unknown,
  value: unknown,
  pointer: Pointer = [],
): readonly [value: unknown, pointer: Pointer] {
  let reference = referenceIn(value);
  for (let hops = 0; hops < MAX_HOPS && reference !== undefined; hops += 1) {
    pointer = stepsOf(reference);
    value = resolve(document, reference);
    reference = referenceIn(value);
  }
  return [value, pointer];
}

/** The object behind references; an empty one if there is none. Keywords next to a reference are left out. */
export function resolveIn(document: unknown, value: unknown): JsonObject {
  const [target] = follow(document, value);
  return isObject(target) ? target : {};
}

/** `pointer` with the references on its way, and the one at its end, followed. */
export function dereferenced(document: unknown, pointer: Pointer): Pointer {
  let value = document;
  let place: Pointer = [];
  for (const step of pointer) {
    // A reference itself is not followed.
    if (step !== REFERENCE) [value, place] = follow(document, value, place);
    value = (value as JsonObject | undefined)?.[step];
    place = [...place, step];
  }
  return follow(document, value, place)[1];
}

/** Every reference in `value` and in what it leads to, data such as examples included. */
export function referencesFrom(document: unknown, value: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  const search = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const inner of Object.values(value)) search(inner);
    const reference = referenceIn(value);
    if (reference === undefined || found.has(reference)) return;
    found.add(reference);
    search(resolve(document, reference));
  };
  search(value);
  return found;
}

/** Whether a field of `value`, at any depth, is called as a reference is. */
export function mentionsReference(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return REFERENCE in value || Object.values(value).some(mentionsReference);
}
