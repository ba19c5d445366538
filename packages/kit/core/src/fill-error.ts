import type { JsonObject } from './json-pointer.ts';
import type { Schema, Schemas } from './model/model.ts';
import type { PlainError, Violation } from './plain-error.ts';
import { exampleOf } from './shown-example.ts';

/** What an error field means, guessed from its name. */
const MEANINGS: readonly (readonly [name: RegExp, value: (error: PlainError) => string | number])[] = [
  [/^(http)?[-_]?status([-_]?code)?$/i, ({ status }) => status],
  [
    /^(user|developer)?[-_]?(message|msg|text|detail|details|description|reason|error[-_]?(message|description|msg))$/i,
    ({ message }) => message,
  ],
  [/^(code|error[-_]?code|error|errors|type|name|key|slug|title)$/i, ({ code }) => code],
];

/** Names of fields that say where a violation is. RFC 9457 §3 writes a pointer into the body as a fragment. */
const PLACES: readonly (readonly [name: RegExp, value: (violation: Violation) => string])[] = [
  [/^pointer$/i, ({ parameter, pointer }) => parameter ?? `#${pointer}`],
  [
    /^(field|path|property|param(eter)?|location)([-_]?(name|path))?$/i,
    (violation) => stepsTo(violation).join('.'),
  ],
];
const STEPS = /^(loc|location|path)$/i;

function stepsTo({ parameter, pointer }: Violation): string[] {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return parameter === undefined ? steps : [parameter, ...steps];
}

const MAX_DEPTH = 4;

interface Filling {
  /** With its `required` fields only, not with all fields whose meaning is known. */
  readonly onlyRequired: boolean;
  readonly ignoresShown: boolean;
  /** A list of places has an item also if the error has no place. */
  readonly inventsPlaces: boolean;
}

/** A value of `given` for an error. */
export function fill(
  document: JsonObject,
  schemas: Schemas,
  given: Schema,
  error: PlainError,
  { onlyRequired, ignoresShown, inventsPlaces }: Filling,
): unknown {
  const whole = (schema: unknown) => schemas.whole(schema) as Schema;
  const example = (schema: Schema) => exampleOf(document, { schema }, { view: 'response', ignoresShown });
  function objectOf(given: Schema, depth: number, violation?: Violation): unknown {
    const schema = whole(given);
    const [branch] = schemas.branchesOf(schema);
    if (branch) return objectOf(branch as Schema, depth, violation);
    const items = schemas.itemsOf(schema);
    if (items && schemas.typesOf(schema).has('array') && depth <= MAX_DEPTH) return listOf(items, depth);
    const properties = Object.entries(schemas.fieldsOf(schema));
    if (properties.length === 0) return isFreeText(schema) ? (violation ?? error).message : example(schema);
    const known = properties.map(([name, described]) => {
      const property = whole(described);
      return { name, property, value: valueOf(name, property, depth, violation) };
    });
    const isSaid = known.some(({ value }) => value !== undefined);
    const spare = isSaid ? undefined : known.find(({ property }) => isFreeText(property));
    const required = schemas.requiredOf(schema);
    const entries = known.flatMap((field): [string, unknown][] => {
      const { name, property } = field;
      const value = field === spare ? (violation ?? error).message : field.value;
      const isWanted = required.includes(name) || (!onlyRequired && value !== undefined);
      return isWanted && !schemas.isAbsentIn('response', property)
        ? [[name, value ?? example(property)]]
        : [];
    });
    return Object.fromEntries(entries);
  }

  /** An item for each violation if it has a field for the place, otherwise one for the error, which has no place. */
  function listOf(items: Schema, depth: number): unknown[] {
    if (schemas.typesOf(items).has('string')) return [error.message];
    const { violations = [] } = error;
    const names = Object.keys(schemas.possibleFieldsOf(items));
    const hasPlace = names.some((name) => STEPS.test(name) || PLACES.some(([place]) => place.test(name)));
    if (!hasPlace || (inventsPlaces && violations.length === 0)) return [objectOf(items, depth + 1)];
    return violations.map((violation) => objectOf(items, depth + 1, violation));
  }

  const isFreeText = (schema: Schema) =>
    [...schemas.typesOf(schema)].join() === 'string' && !('enum' in schema || 'format' in schema);

  /** The value of an error field by its name; undefined if the name is unknown. */
  function valueOf(name: string, schema: Schema, depth: number, violation?: Violation): unknown {
    const [type] = [...schemas.typesOf(schema)].filter((item) => item !== 'null');
    const [, meaning] = MEANINGS.find(([pattern]) => pattern.test(name)) ?? [];
    if (depth > MAX_DEPTH) return undefined;
    const items = schemas.itemsOf(schema);
    if (type === 'array' && violation && STEPS.test(name)) return stepsTo(violation);
    if (type === 'array' && items && /err|message|detail|violation|issue/i.test(name))
      return listOf(items, depth);
    const [, place] = PLACES.find(([pattern]) => pattern.test(name)) ?? [];
    if (type === 'string' && violation && place) return place(violation);
    if (type === 'object')
      return /err|fault|problem|meta|status|response/i.test(name) ? objectOf(schema, depth + 1) : undefined;
    if (type === 'boolean') return /^(success|ok)$/i.test(name) ? false : undefined;
    const meant = meaning?.(violation ? { ...error, message: violation.message } : error);
    const isNumber = type === 'integer' || type === 'number';
    // A numeric code or error is the status.
    const value = isNumber && meant === error.code && /code|error$/i.test(name) ? error.status : meant;
    if (!isAllowed(schema, value)) return undefined;
    if (isNumber) return typeof value === 'number' ? value : undefined;
    return value === undefined ? undefined : String(value);
  }

  return objectOf(given, 0);
}

/** Whether the keywords that are usual for codes admit a value. */
function isAllowed(schema: Schema, value: unknown): boolean {
  const { enum: listed, const: only = value, minimum = -Infinity, maximum = Infinity } = schema;
  if (Array.isArray(listed) && !listed.includes(value)) return false;
  return (
    only === value && (typeof value !== 'number' || (value >= Number(minimum) && value <= Number(maximum)))
  );
}
