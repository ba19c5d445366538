import { isObject, type JsonObject } from '@contract-kit/core/json';
import { compositionOf, othersIn, withParts, type Family, type Schemas } from '@contract-kit/core/model';
import { choicesOf, NOTHING, tagClause, type Outline, type Spot } from './choices.ts';
import { discriminatorIn, rulesIn } from './clauses.ts';
import { codeText, isNull, restOf, typeText } from './fields.ts';
import { meaningOf } from './meaning.ts';

export type Direction = 'sent' | 'response' | undefined;

/**
 * Takes apart what `schema` says, without the fields that only the other direction has. The body of a request or a response
 * shows the fields of named alternatives, a named schema only links to them. `name` is that of a parameter.
 */
export function outlineOf(schemas: Schemas, schema: unknown, view: Direction, name = ''): Outline {
  const subject = name && codeText(name);
  return outlineAt(schema, { name, subject, around: [], known: {}, depth: view === undefined ? 1 : 2 });

  function outlineAt(
    given: unknown,
    spot: Spot,
    families: readonly Family[] = familiesAt(given, spot),
  ): Outline {
    const target = spot.depth > 0 ? schemas.resolve(given) : given;
    if (!isObject(given) || spot.around.includes(target)) return NOTHING;
    const parts = spot.depth > 0 ? schemas.partsOf(given) : writtenParts(given);
    const inner = { ...spot, around: [...spot.around, target] };
    const fields = fieldsIn(parts);
    const inside = [
      ...fieldOutlines(parts, fields, inner),
      ...parts.flatMap((part) => othersOf(part, inner)),
    ];
    const known = { ...spot.known, ...fields };
    return {
      meaning: meaningOf(parts, [
        ...inside.map(({ meaning }) => meaning),
        ...parts.flatMap((part) => rulesIn(schemas, part)),
        ...(families.length > 0 ? [] : parts.flatMap((part) => discriminatorIn(schemas, part))),
        ...missing(parts, fields, known),
        ...families.map(
          ({ property, tags, otherwise }) => `${tagClause(property, tags, otherwise !== undefined)}.`,
        ),
      ]),
      rows: inside.flatMap(({ rows }) => rows),
      choices: [
        ...choicesOf(schemas, parts, families, { ...inner, known }, outlineAt),
        ...inside.flatMap(({ choices }) => choices),
      ],
    };
  }

  /** The parts of a schema that are not named. */
  function writtenParts(given: unknown): JsonObject[] {
    if (!isObject(given)) return [];
    const { parts, unions } = compositionOf(given);
    const only = unions.flatMap(({ branches }) => {
      const values = branches.filter((branch) => !isNull(schemas, branch.schema));
      return values.length === 1 ? values : [];
    });
    return [...[...parts, ...only].flatMap((part) => writtenParts(part.schema)), given];
  }

  /** Of those with the same tag, the nearest. */
  function familiesAt(given: unknown, { depth }: Spot): Family[] {
    if (depth === 0 || !isObject(given)) return [];
    const own = schemas.familiesOf(given);
    const all = own.length > 0 ? own : schemas.partsOf(given).flatMap((part) => schemas.familiesOf(part));
    return [...new Map(all.map((family) => [family.property, family])).values()];
  }

  function fieldOutlines(parts: readonly JsonObject[], fields: JsonObject, spot: Spot): Outline[] {
    const required = new Set(parts.flatMap((part) => (part['required'] ?? []) as string[]));
    return Object.entries(fields)
      .filter(([, property]) => !view || !schemas.isAbsentIn(view, property))
      .map(([field, property]) =>
        rowOutline(property, pathTo(spot, field), spot, {
          required: required.has(field) && !isFilled(property),
        }),
      );
  }

  /** What is known of requests: a field with a default may be left out. */
  function isFilled(property: unknown): boolean {
    return view === 'sent' && schemas.defaultOf(property) !== undefined;
  }

  /** A row for a field, and what is inside of its value. */
  function rowOutline(
    schema: unknown,
    name: string,
    spot: Spot,
    { required = false, before = '' }: { required?: boolean; before?: string } = {},
  ): Outline {
    const { meaning, rows, choices } = outlineAt(schema, at(spot, name));
    const row = { name, required, type: before + typeText(schemas, schema), meaning };
    return { meaning: '', rows: [row, ...rows], choices };
  }

  function at(spot: Spot, name: string): Spot {
    return { ...spot, name, subject: codeText(name), depth: 0, known: {} };
  }

  /** What is in the items and the unnamed fields of a value. */
  function othersOf(part: JsonObject, spot: Spot): Outline[] {
    const { items, prefixItems, properties, patternProperties, contentSchema } = part;
    const others = othersIn(part);
    const isTuple = Array.isArray(prefixItems);
    const rest = isTuple ? restOf(part) : undefined;
    const isMap = properties === undefined && patternProperties === undefined;
    const patterns = Object.entries(Object(patternProperties) as JsonObject);
    return [
      ...(isObject(items) && !isTuple ? [each(itemsOutline(items, spot))] : []),
      ...(isTuple ? prefixItems : []).map((item, index) =>
        rowOutline(item, `${spot.name}[${index}]`, spot, { before: `item ${index + 1}: ` }),
      ),
      ...(isObject(rest)
        ? [rowOutline(rest, `${spot.name}[]`, spot, { before: 'each further item: ' })]
        : []),
      ...patterns.map(([pattern, property]) =>
        rowOutline(property, pathTo(spot, `/${pattern}/`), spot, { before: 'each field of such a name: ' }),
      ),
      ...(isObject(others) ? [othersOutline(others, pathTo(spot, '*'), spot, isMap)] : []),
      ...(isObject(contentSchema) ? [contentOutline(contentSchema, spot)] : []),
    ];
  }

  /** The type of a map says what its fields are. */
  function othersOutline(others: JsonObject, name: string, spot: Spot, isMap: boolean): Outline {
    return isMap
      ? each(outlineAt(others, at(spot, name)))
      : rowOutline(others, name, spot, { before: 'each other field: ' });
  }

  function contentOutline(schema: JsonObject, spot: Spot): Outline {
    const { meaning, ...others } = outlineAt(schema, at(spot, pathTo(spot, '(content)')));
    return { ...others, meaning: `In it: ${typeText(schemas, schema)}. ${meaning}` };
  }

  /** Of the items of a list that is the whole, the fields have no path. */
  function itemsOutline(items: JsonObject, spot: Spot): Outline {
    return spot.name === ''
      ? outlineAt(items, { ...spot, subject: 'Each item', known: {} })
      : outlineAt(items, at(spot, `${spot.name}[]`));
  }

  /** Required fields that are described elsewhere. */
  function missing(parts: readonly JsonObject[], fields: JsonObject, known: JsonObject): string[] {
    const names = new Set(parts.flatMap((part) => (part['required'] ?? []) as string[]));
    const wanted = [...names].filter((name) => {
      const property = Object.hasOwn(known, name) ? known[name] : {};
      return (
        !Object.hasOwn(fields, name) &&
        !(view !== undefined && schemas.isAbsentIn(view, property)) &&
        !isFilled(property)
      );
    });
    return wanted.length > 0 ? [`Required: ${wanted.map(codeText).join(', ')}.`] : [];
  }
}

const each = (outline: Outline): Outline => ({
  ...outline,
  meaning: outline.meaning && `Each: ${outline.meaning}`,
});

const pathTo = ({ name }: Spot, field: string) => (name === '' ? field : `${name}.${field}`);

/** The properties of parts by their names: all that is said of one holds. */
function fieldsIn(parts: readonly JsonObject[]): JsonObject {
  const all = new Map<string, unknown[]>();
  for (const { properties } of parts)
    for (const [name, property] of Object.entries(properties ?? {})) {
      const known = all.get(name) ?? [];
      if (!known.includes(property)) all.set(name, [...known, property]);
    }
  return Object.fromEntries(
    [...all].map(([name, list]) => [name, list.length > 1 ? withParts({}, list) : list[0]]),
  );
}
