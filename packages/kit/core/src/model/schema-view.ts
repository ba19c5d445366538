import { isObject, type JsonObject } from '../json/index.ts';
import { objectAt } from './described.ts';
import { CONDITIONS, isComposition, isUnion, type View } from './keywords.ts';
import { REFERENCE, referenceIn } from './references.ts';
import { merged, type Schemas } from './schemas.ts';
import { withSubschemas } from './subschemas.ts';

export type { View } from './keywords.ts';

interface Reading {
  readonly schemas: Schemas;
  /** What replaces a reference; the reference itself by default. A branch is sent, because its defaults may be missing. */
  readonly refer?: (reference: string, view: View) => string;
}

/**
 * `schema` in one view: a property of the other direction must be absent, even if required (OpenAPI 3.1 §4.8.24.1).
 * A property with a default is optional in requests, and always present in the handler's input, but in alternatives.
 */
export function schemaIn(
  view: View,
  schema: unknown,
  reading: Reading,
  around: JsonObject = {},
  isConditional = false,
): unknown {
  if (!isObject(schema)) return schema;
  const { schemas } = reading;
  const { required } = schema;
  const reference = referenceIn(schema);
  // Another part of a composition may define a property required here.
  const known = merged([around, schemas.fieldsOf(schema)]);
  const isElsewhere = (property: unknown) => schemas.isAbsentIn(view, property);
  const viewed = withSubschemas(schema, (child, place) => {
    if (place === 'properties' && isElsewhere(child)) return false;
    return schemaIn(
      isAlternative(schema, place, schemas) ? sentFor(view) : view,
      child,
      reading,
      isComposition(place) ? known : {},
      isConditional || CONDITIONS.includes(place),
    );
  });
  // No default is filled because of a condition.
  const isFilled = (property: unknown) => !isConditional && schemas.defaultOf(property) !== undefined;
  const stays = (name: string) => !isElsewhere(known[name]) && !(view === 'sent' && isFilled(known[name]));
  const names = new Set((Array.isArray(required) ? (required as string[]) : []).filter(stays));
  if (view === 'received')
    for (const [name, value] of Object.entries(objectAt(schema, 'properties')))
      if (isFilled(value) && stays(name)) names.add(name);
  if (reference !== undefined) viewed[REFERENCE] = reading.refer?.(reference, view) ?? reference;
  if (names.size > 0) viewed['required'] = [...names];
  else delete viewed['required'];
  return viewed;
}

/** Whether a subschema holds for some values only, so that its defaults may be missing. */
function isAlternative(schema: JsonObject, place: string, schemas: Schemas): boolean {
  if (!isUnion(place)) return CONDITIONS.includes(place);
  return schemas.branchesOf({ [place]: schema[place] }).length > 0;
}

const sentFor = (view: View): View => (view === 'received' ? 'sent' : view);

/** The component schemas of a document in one view, as targets of references. */
export function componentsIn(view: View, schemas: Schemas): { readonly schemas: JsonObject } {
  const components = Object.entries(objectAt(objectAt(schemas.document, 'components'), 'schemas'));
  return {
    schemas: Object.fromEntries(
      components.map(([name, schema]) => [name, schemaIn(view, schema, { schemas })]),
    ),
  };
}
