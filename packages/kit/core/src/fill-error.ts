import { STATUS_CODES } from 'node:http';
import { isObject, type JsonObject } from './json-pointer.ts';
import type { Schema, Schemas } from './model/model.ts';
import type { PlainError, Violation } from './plain-error.ts';
import { exampleOf } from './shown-example.ts';

/** What an error field may hold, guessed from its name; the first that its schema admits is sent. */
const MEANINGS: readonly (readonly [name: RegExp, values: (error: PlainError) => readonly unknown[]])[] = [
  [/^(http)?[-_]?status([-_]?code)?$/i, ({ status }) => [status]],
  [
    /^(user|developer)?[-_]?(message|msg|text|detail|details|description|reason|error[-_]?(message|description|msg))$/i,
    ({ code, message }) => [message, code],
  ],
  [/^(code|error|error[-_]?code)$/i, ({ code, status }) => [code, code.toUpperCase(), status]],
  // RFC 9457 §4.2.1: a problem without a specific type.
  [/^type$/i, ({ code }) => [code, code.toUpperCase(), 'about:blank']],
  [/^(request|trace|correlation)[-_]?id$/i, ({ requestId }) => [requestId]],
  [/^(errors|name|key|slug|title)$/i, ({ code }) => [code, code.toUpperCase()]],
];

/** Names of fields that say where a violation is. RFC 9457 §3 writes a pointer into the body as a fragment. */
const PLACES: readonly (readonly [name: RegExp, values: (violation: Violation) => readonly string[]])[] = [
  [
    /^pointer$/i,
    ({ parameter, pointer }) => (parameter === undefined ? [`#${pointer}`, pointer] : [parameter]),
  ],
  [
    /^(field|path|property|param(eter)?|location)([-_]?(name|path))?$/i,
    (violation) => [stepsTo(violation).join('.')],
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
  readonly admits: (schema: Schema, value: unknown) => boolean;
  /** With its `required` fields only, not with all fields whose meaning is known. */
  readonly onlyRequired: boolean;
  readonly ignoresShown: boolean;
  /** A list of places has an item also if the error has no place. */
  readonly inventsPlaces: boolean;
}

/** A value of `given` for an error; `admits` validates one field. */
export function fill(
  document: JsonObject,
  schemas: Schemas,
  given: Schema,
  error: PlainError,
  { admits, onlyRequired, ignoresShown, inventsPlaces }: Filling,
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
    if (properties.length === 0)
      return isFreeText(schema) ? (violation ?? error).message : (mapOf(schema) ?? example(schema));
    const required = schemas.requiredOf(schema);
    const known = properties.flatMap(([name, described]) => {
      const property = whole(described);
      const isRequired = required.includes(name);
      if (schemas.isAbsentIn('response', property) || (onlyRequired && !isRequired)) return [];
      return [{ name, property, isRequired, value: valueOf(name, property, depth, violation) }];
    });
    const { message } = violation ?? error;
    const values = known.map(({ value }) => value);
    const free = known.filter(({ property }) => isFreeText(property) && admits(property, message));
    // A text called `error` is a code beside a message, and a message alone.
    const spare = tells(values, message) ? undefined : free.find(({ name }) => /^(error|title)$/i.test(name));
    const teller = spare ?? (values.every((value) => value === undefined) ? free[0] : undefined);
    const entries = known.flatMap((field): [string, unknown][] => {
      const { name, property, isRequired } = field;
      const value = field === teller ? message : field.value;
      if (value !== undefined) return [[name, value]];
      return isRequired ? [[name, neededOf(property, depth, violation)]] : [];
    });
    return Object.fromEntries(entries);
  }

  /** The value of a required field whose name says nothing. */
  const neededOf = (schema: Schema, depth: number, violation?: Violation) =>
    depth < MAX_DEPTH && schemas.typesOf(schema).has('object')
      ? objectOf(schema, depth + 1, violation)
      : example(schema);

  /** An item for each violation if it has a field for the place, otherwise one for the error, which has no place. */
  function listOf(items: Schema, depth: number): unknown[] {
    if (schemas.typesOf(items).has('string')) return [error.message];
    const { violations = [] } = error;
    const names = Object.keys(schemas.possibleFieldsOf(items));
    const hasPlace = names.some((name) => STEPS.test(name) || PLACES.some(([place]) => place.test(name)));
    if (!hasPlace || (inventsPlaces && violations.length === 0)) return [objectOf(items, depth + 1)];
    return violations.map((violation) => objectOf(items, depth + 1, violation));
  }

  /** The messages by their places, such as `{ name: ['must be string'] }`; undefined unless it is a map of these. */
  function mapOf(schema: Schema): Record<string, string | string[]> | undefined {
    const each = schemas.othersOf(schema);
    const items = schemas.itemsOf(each);
    if (!isObject(each) || !schemas.typesOf(items ?? each).has('string')) return undefined;
    const told = new Map<string, string[]>();
    const nowhere = inventsPlaces ? [{ pointer: '', message: error.message }] : [];
    for (const violation of error.violations ?? nowhere) {
      const place = stepsTo(violation).join('.');
      told.set(place, [...(told.get(place) ?? []), violation.message]);
    }
    return Object.fromEntries([...told].map(([place, all]) => [place, items ? all : all.join(', and ')]));
  }

  /** Whether items of the schema can say anything. */
  const isTold = (items: Schema) =>
    schemas.typesOf(items).has('string') || Object.keys(schemas.possibleFieldsOf(items)).length > 0;

  const isFreeText = (schema: Schema) =>
    [...schemas.typesOf(schema)].join() === 'string' && !('enum' in schema || 'format' in schema);

  /** The value of an error field by its name; undefined if the name is unknown. */
  function valueOf(name: string, schema: Schema, depth: number, violation?: Violation): unknown {
    const [type] = [...schemas.typesOf(schema)].filter((item) => item !== 'null');
    if (depth > MAX_DEPTH) return undefined;
    const items = schemas.itemsOf(schema);
    if (type === 'array' && violation && STEPS.test(name)) return stepsTo(violation);
    if (type === 'array' && items && /err|message|detail|violation|issue/i.test(name))
      return isTold(items) ? listOf(items, depth) : undefined;
    const [, placesOf] = PLACES.find(([pattern]) => pattern.test(name)) ?? [];
    if (type === 'string' && violation && placesOf) return admittedOf(schema, placesOf(violation));
    // An empty map says nothing.
    const map = type === 'object' ? mapOf(schema) : undefined;
    if (map && Object.keys(map).length === 0) return undefined;
    if (type === 'object')
      return /err|fault|problem|meta|status|response/i.test(name) ? objectOf(schema, depth + 1) : undefined;
    if (type === 'boolean') return /^(success|ok)$/i.test(name) ? false : undefined;
    const [, valuesOf] = MEANINGS.find(([pattern]) => pattern.test(name)) ?? [];
    const told = violation ? { ...error, message: violation.message } : error;
    const values = valuesOf?.(told) ?? [];
    return admittedOf(schema, [
      ...values.map((value) => (value === told.message ? shortened(schema, told.message) : value)),
      ...alike(schema, values),
    ]);
  }

  /** The first of `values` that the schema admits, or its text. */
  function admittedOf(schema: Schema, values: readonly unknown[]): unknown {
    return values.flatMap((value) => [value, String(value)]).find((value) => admits(schema, value));
  }

  /** The listed values of a schema that are the code in another spelling, or the name of its status. */
  function alike({ enum: listed }: Schema, values: readonly unknown[]): unknown[] {
    if (!Array.isArray(listed) || !values.includes(error.code)) return [];
    const wanted = [error.code, STATUS_CODES[error.status]].map(lettersOf);
    return listed.filter((value) => wanted.includes(lettersOf(value)));
  }

  return objectOf(given, 0);
}

/** Whether a part of an error is in the body as it is. */
export const tells = (body: unknown, part: string | number) =>
  String(JSON.stringify(body)).includes(JSON.stringify(part));

const lettersOf = (value: unknown) =>
  String(value)
    .toLowerCase()
    .replaceAll(/[^a-z\d]/g, '');

/** A text that is too long for the schema, cut. */
function shortened({ maxLength }: Schema, value: string): string {
  if (typeof maxLength !== 'number') return value;
  // `maxLength` counts code points (JSON Schema 2020-12 validation §6.3.1).
  const points = [...value];
  return points.length > maxLength ? `${points.slice(0, maxLength - 1).join('')}…` : value;
}
