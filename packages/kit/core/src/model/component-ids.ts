import { isObject, type JsonObject } from '../json/index.ts';
import { componentReference, REFERENCE, referenceIn } from './references.ts';
import { withSubschemas } from './subschemas.ts';

/*
 * Validators know each component by an id, and not as a part of one document: Ajv compiles what a pointer leads to again
 * for each schema that refers to it.
 */

const PREFIX = componentReference('schemas', '');

/** The id of the component that a reference leads to. It is one segment of a path, so that a validator can resolve it. */
export function componentId(reference: string, use = 'schemas'): string {
  const name = reference.startsWith(PREFIX) ? reference.slice(PREFIX.length) : reference;
  const segment = name.replaceAll(/[^\w-]/g, (sign) => `.${sign.charCodeAt(0).toString(16)}.`);
  return `${use}.${segment}`;
}

/** Component schemas by their ids, with references to ids. */
export function componentsById(named: JsonObject): Readonly<Record<string, JsonObject | boolean>> {
  return Object.fromEntries(
    Object.entries(named).map(([name, schema]) => [
      componentId(name),
      referringToIds(schema) as JsonObject | boolean,
    ]),
  );
}

function referringToIds(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const reference = referenceIn(schema);
  const changed = withSubschemas(schema, referringToIds);
  if (reference !== undefined) changed[REFERENCE] = componentId(reference);
  return changed;
}
