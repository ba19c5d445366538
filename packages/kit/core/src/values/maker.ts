import { isObject, pointerTo, type JsonObject } from '../json/index.ts';
import type { Schema, Schemas } from '../model/index.ts';
import { nthChoice, type Choices } from './choices.ts';
import { isOfType, joined, typeMeant, type Constraints } from './constraints.ts';
import { createExpansion, NOTHING_EXPANDED, type Expanded, type Part } from './expansion.ts';
import { numberWithin } from './number.ts';
import { carries, placeOf, type Place } from './place.ts';
import { MOST_CHARACTERS, REPLACE_ME, makeText } from './text.ts';

/** A parameter, header or body that a value is for. */
export interface WithExamples {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown; readonly dataValue?: unknown }>>;
}

export interface MakeOptions {
  /** A request by default; in a response, a `readOnly` property may be required. */
  readonly view?: 'sent' | 'response' | undefined;
  readonly choices?: Choices | undefined;
  /** Ignores the examples and the defaults of the contract, unless nothing else can be made. */
  readonly ignoresShown?: boolean | undefined;
  /** Examples that do not fit, and are made instead. */
  readonly excluded?: Excluded | undefined;
}

/** Values of the contract, by the pointers to their places, in which `*` stands for an index. */
export type Excluded = ReadonlyMap<string, ReadonlySet<unknown>>;

/** A value of the contract at its place in a made one. */
export interface Shown {
  readonly pointer: string;
  readonly value: unknown;
}

export interface Made {
  /** Undefined if nothing can be made. */
  readonly value: unknown;
  /** What of it the contract shows. */
  readonly shown: readonly Shown[];
  /** Why something could not be made, by the pointers to it; the first reason first. */
  readonly troubles: ReadonlyMap<string, string>;
}

/** Of generated values. Larger ones must come from the contract. */
const MAX_ITEMS = 100;
/** Optional fields of a full example: schemas that refer to each other have millions. */
const MOST_OPTIONAL_FIELDS = 200;
/** Values inside one value. */
const MOST_STEPS = 20_000;

const NOTHING = Symbol('nothing');

/** Where a value is made. */
interface Spot {
  readonly steps: readonly (string | number)[];
  readonly place: Place;
  readonly choices: Choices;
  /** What the contract shows in values around it. */
  readonly hints: readonly unknown[];
  /** The schemas that lead to it, in the values around it. */
  readonly around: readonly unknown[];
}

/** The schemas that lead to what `declared` finds in a part. */
type Leading = (declared: (part: Constraints) => readonly unknown[]) => readonly unknown[];

/** The examples of the contract, not of its schema. */
export function shownExamples(schemas: Schemas, { example, examples = {} }: WithExamples): unknown[] {
  const named = Object.values(examples).map((example) => {
    const { value, dataValue = value } = schemas.resolve(example);
    return dataValue;
  });
  return [example, ...named].filter((item) => item !== undefined);
}

/** Makes a value of the schema of `part` that its place can carry. It is not checked: see `valuesIn`. */
export function makeValue(
  schemas: Schemas,
  part: WithExamples,
  { view = 'sent', choices = nthChoice(), ignoresShown = false, excluded = new Map() }: MakeOptions = {},
): Made {
  const shown: Shown[] = [];
  const troubles = new Map<string, string>();
  const room = { fields: MOST_OPTIONAL_FIELDS };
  let steps = 0;
  const { expand, chainOf, isNull } = createExpansion(schemas);

  const pointerOf = (spot: Spot) =>
    pointerTo(spot.steps.map((step) => (typeof step === 'number' ? '*' : step)));
  const nothing = (spot: Spot, why: string) => {
    const pointer = pointerTo(spot.steps);
    if (!troubles.has(pointer)) troubles.set(pointer, why);
    return NOTHING;
  };
  const isUsable = (value: unknown, spot: Spot) =>
    value !== undefined && carries(spot.place, value) && excluded.get(pointerOf(spot))?.has(value) !== true;
  const show = (value: unknown, spot: Spot) => {
    shown.push({ pointer: pointerOf(spot), value });
    return value;
  };

  const admittedAt = (spot: Spot) => (schema: JsonObject) => {
    const isEndless = spot.around.filter((other) => other === schema).length >= spot.choices.rounds;
    if (isEndless) nothing(spot, 'it is of a schema that contains itself without an end');
    return !isEndless;
  };

  /** A value that fits all of `given`. */
  function valueOf(given: readonly unknown[], spot: Spot): unknown {
    if ((steps += 1) > MOST_STEPS) return nothing(spot, 'its schema has too many parts');
    if (given.includes(false))
      return nothing(spot, 'additionalProperties: false, or another schema that is false, excludes it');
    const expanded = expand(NOTHING_EXPANDED, given, admittedAt(spot));
    if (!expanded) return NOTHING;
    const whole =
      given.length === 1 ? chainOf(given[0]).flatMap((schema) => statedBy(schema, spot.choices)) : [];
    const stated = [...spot.hints, ...(ignoresShown ? [] : whole)];
    const usable = stated.find((value) => isUsable(value, spot));
    if (usable !== undefined) return show(usable, spot);
    return choose(expanded, { ...spot, hints: stated }, 0);
  }

  /** Tries one alternative of each union after another. */
  function choose(expanded: Expanded, spot: Spot, done: number): unknown {
    const union = expanded.unions[done];
    if (!union) return fromParts(expanded.parts, spot);
    const { alternatives, path } = union;
    const usual = spot.choices.takesNull ? alternatives : alternatives.filter((all) => !all.some(isNull));
    const first = usual.length > 0 ? spot.choices.pick(usual.length) : 0;
    for (let at = 0; at < alternatives.length; at += 1) {
      const index = at < usual.length ? (first + at) % usual.length : at;
      const chosen = (at < usual.length ? usual : alternatives)[index] ?? [];
      const next = expand(expanded, chosen, admittedAt(spot), path);
      const value = next ? choose(next, spot, done + 1) : NOTHING;
      if (value !== NOTHING) return value;
      if ((steps += 1) > MOST_STEPS) break;
    }
    return NOTHING;
  }

  function fromParts(found: readonly Part[], spot: Spot): unknown {
    const parts = found.map(({ keywords }) => keywords);
    const all = joined(parts);
    const leading = leadingIn(found);
    const own = parts.toReversed().flatMap((part) => statedBy(part, spot.choices));
    const stated = [...spot.hints, ...own];
    const shownScalar = () =>
      stated.find((value) => !isObject(value) && isUsable(value, spot) && isOfType(value, all.types));
    const usable = ignoresShown ? undefined : shownScalar();
    if (usable !== undefined) return show(usable, spot);
    if (all.values) {
      const typed = all.values.filter((value) => isOfType(value, all.types));
      const free = typed.filter((value) => !all.not.includes(JSON.stringify(value)));
      const fitting = free.filter((value) => carries(spot.place, value));
      if (fitting.length > 0) return fitting[spot.choices.pick(fitting.length)];
      const other = typed.length === 0 ? `type ${all.types?.join(' or ')}` : 'not';
      return nothing(
        spot,
        free.length === 0
          ? `${other} excludes every value of its enum or const`
          : `no value of its enum or const ${carried(spot)}`,
      );
    }
    const types = typesFor(all, parts, spot);
    if (types.length === 0)
      return nothing(
        spot,
        all.types?.length === 0 ? 'its types exclude each other' : `no value of its type ${carried(spot)}`,
      );
    const first = spot.choices.pick(types.length);
    for (const type of [
      ...types.slice(first),
      ...types.slice(0, first),
      ...(spot.choices.takesNull ? [] : nullsOf(all, spot)),
    ]) {
      const value = ofType(type, all, { ...spot, hints: ignoresShown ? [] : stated }, leading);
      if (value !== NOTHING) return value;
    }
    // Better than nothing.
    const last = shownScalar();
    return last === undefined ? NOTHING : show(last, spot);
  }

  const carried = ({ place }: Spot) => `can be carried by ${place.name}`;

  /** The types that a place carries, without null unless that is as good. */
  function typesFor(all: Constraints, parts: readonly JsonObject[], { place, choices }: Spot): string[] {
    const types =
      all.types ?? (all.isOpen && !choices.isUsual ? ANY : [place.isRecord ? 'object' : typeMeant(parts)]);
    return types.filter((type) => {
      if (place.isText) return type === 'string';
      if (type === 'array') return place.items !== undefined;
      if (type === 'object') return place.fieldOf !== undefined;
      return (
        !place.isRecord &&
        (type !== 'null' || (choices.takesNull && place.carriesText('')) || types.length === 1)
      );
    });
  }
  const nullsOf = ({ types = [] }: Constraints, { place }: Spot) =>
    types.length > 1 && types.includes('null') && place.carriesText('') ? ['null'] : [];

  function ofType(type: string, all: Constraints, spot: Spot, leading: Leading): unknown {
    switch (type) {
      case 'null':
        return null;
      case 'boolean':
        return spot.choices.pick(2) === 0;
      case 'integer':
      case 'number':
        return numberOf(type, all, spot);
      case 'array':
        return listOf(all, spot, leading);
      case 'object':
        return objectOf(all, spot, leading);
      default: {
        const text = makeText(all.form, spot.choices, spot.place);
        if (text !== undefined) return text;
        nothing(spot, noText(all, spot));
        return spot.place.carriesText(REPLACE_ME) ? REPLACE_ME : NOTHING;
      }
    }
  }

  function noText({ form: { patterns, formats, least, most } }: Constraints, { place }: Spot): string {
    const wanted = [
      ...patterns.map((pattern) => `the pattern ${pattern}`),
      ...formats.map((name) => `the format ${name}`),
    ];
    if (least > MOST_CHARACTERS)
      return `minLength ${least} is more than the ${MOST_CHARACTERS} characters that are made`;
    const free = { formats, patterns, least: 0, most: Infinity };
    const text = makeText(free, nthChoice(), place);
    if (text === undefined || wanted.length === 0)
      return `no text is found that ${place.name} carries${wanted.length > 0 ? ` for ${wanted.join(' and ')}` : ''}`;
    const keyword = [...text].length > most ? `maxLength ${most}` : `minLength ${least}`;
    return `${keyword} excludes every text that ${wanted.join(' and ')} ${wanted.length > 1 ? 'allow' : 'allows'}`;
  }

  function numberOf(type: string, all: Constraints, spot: Spot): unknown {
    const steps = type === 'integer' ? [1, ...all.bounds.steps] : all.bounds.steps;
    const value = numberWithin({ ...all.bounds, steps }, spot.choices);
    if (value === undefined) return nothing(spot, `${boundsText(all)} excludes every ${type}`);
    if (carries(spot.place, value)) return value;
    // A path segment such as `{lat}.{format}` has no decimals.
    const whole = numberWithin({ ...all.bounds, steps: [1, ...steps] }, spot.choices);
    return whole !== undefined && carries(spot.place, whole)
      ? whole
      : nothing(spot, `no ${type} ${carried(spot)}`);
  }

  function listOf(all: Constraints, spot: Spot, leading: Leading): unknown {
    const { place, choices, hints } = spot;
    const [least, most] = [
      Math.max(all.minItems, place.carriesEmpty.list ? 0 : 1),
      Math.min(all.maxItems, MAX_ITEMS),
    ];
    if (least > MAX_ITEMS)
      nothing(spot, `minItems ${least} is more than the ${MAX_ITEMS} items that are made`);
    const size = choices.size(Math.min(least, MAX_ITEMS), most);
    const lists = hints.filter((hint) => Array.isArray(hint)) as unknown[][];
    const items: unknown[] = [];
    const known = new Set<string>();
    for (let at = 0, tried = 0; items.length < size && tried < 2 * size + 4; tried += 1, at += 1) {
      const index = items.length;
      const declared = (of: Constraints) => [
        ...of.itemsAt(index),
        ...(index < all.contained.count ? of.contained.schemas : []),
      ];
      const item = valueOf(declared(all), {
        ...spot,
        steps: [...spot.steps, index],
        around: [...spot.around, ...leading(declared)],
        place: place.items ?? place,
        choices: all.isUnique ? choices.itemAt(at) : choices,
        hints: lists.flatMap((list) => (index < list.length ? [list[index]] : [])),
      });
      if (item === NOTHING) break;
      const text = JSON.stringify(item);
      if (all.isUnique && known.has(text)) continue;
      known.add(text);
      items.push(item);
    }
    if (items.length >= Math.min(least, MAX_ITEMS)) return items;
    return nothing(
      spot,
      `${all.isUnique ? `uniqueItems and ` : ''}minItems ${least} excludes every list that can be made`,
    );
  }

  function objectOf(all: Constraints, spot: Spot, leading: Leading): unknown {
    const { place, choices, hints } = spot;
    const isAbsent = (name: string) => all.fieldsAt(name).some((field) => schemas.isAbsentIn(view, field));
    const required = all.required.filter((name) => !isAbsent(name));
    const optional = all.names.filter(
      (name) => !required.includes(name) && !isAbsent(name) && !all.isForbidden(name),
    );
    const least = Math.max(all.minProperties, place.carriesEmpty.object ? 0 : 1);
    const spare = Math.max(0, all.maxProperties - required.length);
    // Before the fields inside them, which would take all the room.
    const taken = choices.fields(optional.length).slice(0, Math.min(spare, room.fields));
    room.fields -= taken.length;
    const chosen = new Set([...required, ...taken.map((index) => optional[index] ?? '')]);
    for (const name of chosen)
      for (const other of all.requiredBy(name)) if (!isAbsent(other)) chosen.add(other);
    const objects = hints.filter(isObject);
    const fields = new Map<string, unknown>();
    const make = (name: string): boolean => {
      if (fields.has(name)) return true;
      const value = valueOf(all.fieldsAt(name), {
        ...spot,
        steps: [...spot.steps, name],
        around: [...spot.around, ...leading((of) => of.fieldsAt(name))],
        place: place.fieldOf?.(name) ?? place,
        hints: objects.flatMap((object) => (Object.hasOwn(object, name) ? [object[name]] : [])),
      });
      if (value !== NOTHING) fields.set(name, value);
      return value !== NOTHING;
    };
    // In the order of the contract.
    const ordered = [
      ...all.names.filter((name) => chosen.has(name)),
      ...[...chosen].filter((name) => !all.names.includes(name)),
    ];
    for (const name of ordered) if (!make(name) && required.includes(name)) return NOTHING;
    for (const name of optional) if (fields.size < least) make(name);
    for (const name of all.moreNames(choices, fields.size, Math.min(least, MAX_ITEMS)))
      if (fields.size < least) make(name);
    if (fields.size >= Math.min(least, MAX_ITEMS)) return Object.fromEntries(fields);
    return nothing(
      spot,
      all.minProperties > 0
        ? `minProperties ${all.minProperties} excludes every object that can be made`
        : `${place.name} carries no empty object`,
    );
  }

  const place = placeOf(part);
  const schema = 'written' in part ? part.written : (part.schema ?? {});
  const spot: Spot = {
    steps: [],
    place,
    choices,
    hints: ignoresShown ? [] : shownExamples(schemas, part),
    around: [],
  };
  const value = valueOf([schema], spot);
  return { value: value === NOTHING ? undefined : value, shown, troubles };
}

/** A base that a value shares with one inside it does not lead there: only the parts that declare it do. */
function leadingIn(parts: readonly Part[]): Leading {
  let each: readonly { path: readonly unknown[]; own: Constraints }[] | undefined;
  return (declared) => {
    each ??= parts.map(({ keywords, path }) => ({ path, own: joined([keywords]) }));
    return [...new Set(each.flatMap(({ path, own }) => (declared(own).length > 0 ? path : [])))];
  };
}

/** Types of values that nothing is known of. */
const ANY = ['string', 'integer', 'boolean', 'object', 'array', 'null'];

/** What a schema shows: its example, its examples, and its default. */
function statedBy(schema: JsonObject, choices: Choices): unknown[] {
  const examples = Array.isArray(schema['examples']) ? (schema['examples'] as unknown[]) : [];
  const first = examples.length > 0 ? choices.pick(examples.length) : 0;
  return [schema['example'], ...examples.slice(first), ...examples.slice(0, first), schema['default']].filter(
    (value) => value !== undefined,
  );
}

function boundsText({ bounds: { minimum, above, maximum, below, steps } }: Constraints): string {
  const stated = { minimum, exclusiveMinimum: above, maximum, exclusiveMaximum: below };
  const limits = Object.entries(stated).filter(([, value]) => Number.isFinite(value));
  return [...limits, ...steps.map((step) => ['multipleOf', step] as const)]
    .map(([keyword, value]) => `${keyword} ${value}`)
    .join(' with ');
}
