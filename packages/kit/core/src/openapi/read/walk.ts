import { REFERENCE, referenceIn } from '../../model/index.ts';
import { isNearName, isObject, type JsonObject } from '../../json/index.ts';
import type { Pointer } from '../problem.ts';
import { CALLED, GRAMMAR, isDataName, isDocumentation, type Kind, type Shape } from './grammar.ts';

/** An object of the contract: its kind, its place, and its parent. */
export interface Node {
  readonly kind: Kind;
  readonly value: JsonObject;
  readonly pointer: Pointer;
  readonly parent: Node | undefined;
  /** Whether it is documentation. */
  readonly isShown: boolean;
}

export interface Finding {
  readonly pointer: Pointer;
  readonly message: string;
  /** Of the wrong shape, missing, or a field that OpenAPI does not have. */
  readonly is: 'misshapen' | 'missing' | 'stray';
  /** The object that lacks a field. */
  readonly of?: JsonObject | undefined;
  /** What a misshapen value should be. */
  readonly shape?: Shape;
  /** Whether only documentation is wrong. */
  readonly isDocumentation?: boolean;
}

/** An object with a reference. */
type Referring = JsonObject & { [REFERENCE]: string };

/** A reference where OpenAPI has none, as in `paths: { $ref: paths.yaml }`. */
export interface Inclusion {
  readonly shape: Shape;
  readonly value: Referring;
  readonly pointer: Pointer;
  /** Whether it is in documentation. */
  readonly isShown: boolean;
}

/** A reference in documentation of any shape, such as an extension. */
export type FreeReference = Pick<Inclusion, 'value' | 'pointer'>;

export interface Walk {
  readonly nodes: readonly Node[];
  readonly references: readonly Node[];
  readonly inclusions: readonly Inclusion[];
  readonly free: readonly FreeReference[];
  readonly findings: readonly Finding[];
}

const EXTENSIONS = Object.entries(GRAMMAR).flatMap(([kind, { fields }]) =>
  Object.keys(fields)
    .filter((name) => name.startsWith('x-'))
    .map((name) => ({ name, called: CALLED[kind as Kind] })),
);

const WORDS = {
  text: 'text (put quotes around it if it looks like something else)',
  flag: 'true or false',
  number: 'a number',
  count: 'a whole number from 0',
  positive: 'a number above 0',
} as const;

/**
 * Walks the whole document, or the part at `start`, by the grammar. References are not followed. Documentation that OpenAPI
 * lets refer elsewhere, such as callbacks and extensions, is left out unless `withShown`.
 */
export function walk(object: unknown, kind: Kind = 'Document', start: Pointer = [], withShown = false): Walk {
  const nodes: Node[] = [];
  const references: Node[] = [];
  const inclusions: Inclusion[] = [];
  const free: FreeReference[] = [];
  const findings: Finding[] = [];
  let isShown = kind === 'Link' || kind === 'Callback';
  const report = (is: Finding['is'], pointer: Pointer, message: string, more: Partial<Finding> = {}) =>
    findings.push({ pointer, message, is, ...more });

  function visit(value: unknown, shape: Shape, pointer: Pointer, parent: Node | undefined): void {
    if (shape === 'any') return;
    if (shape === 'free') return visitFree(value, pointer);
    if (typeof shape === 'object' && 'shown' in shape) return visitShown(value, shape.shown, pointer, parent);
    if (isInclusion(value, shape)) {
      const field = parent && pointer[parent.pointer.length];
      const isOfShown = isShown || (parent !== undefined && isDocumentation(parent.kind, String(field)));
      return void inclusions.push({ shape, value, pointer, isShown: isOfShown });
    }
    if (typeof shape !== 'string' && 'either' in shape) {
      const fitting = shape.either.find((alternative) => hasShape(value, alternative));
      if (fitting) return visit(value, fitting, pointer, parent);
    }
    if (!hasShape(value, shape)) {
      const field = parent && pointer[parent.pointer.length];
      const isOfPeople = parent !== undefined && isDocumentation(parent.kind, String(field));
      const rest = typeof pointer.at(-1) === 'number' ? 'the dash' : 'the name';
      const remedy =
        typeof shape === 'object' && hasShape('null', shape)
          ? `write 'null' in quotes, another value, or leave ${rest} out`
          : `write it, or leave ${rest} out`;
      const found = value === null ? (isOfPeople ? 'empty' : `empty: ${remedy}`) : shortOf(value);
      const message = `${placeName(pointer)} must be ${expected(shape)}, but is ${found}`;
      return void report('misshapen', pointer, message, { shape, isDocumentation: isOfPeople });
    }
    if (typeof shape === 'string') return;
    if ('list' in shape && Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(item, shape.list, [...pointer, index], parent);
    } else if ('map' in shape && isObject(value)) {
      for (const [name, item] of Object.entries(value)) visit(item, shape.map, [...pointer, name], parent);
    } else if ('reference' in shape && isObject(value)) {
      const kind = shape.reference;
      const place = { kind, value, pointer, parent, isShown: isShown || isDocumentation(kind) };
      if (REFERENCE in value) visitReference(place);
      else visitObject(place);
    } else if ('object' in shape && isObject(value)) {
      visitObject({ kind: shape.object, value, pointer, parent, isShown });
    }
  }

  function visitShown(value: unknown, shape: Shape, pointer: Pointer, parent: Node | undefined): void {
    if (!withShown) return;
    const before = isShown;
    isShown = true;
    visit(value, shape, pointer, parent);
    isShown = before;
  }

  function visitFree(value: unknown, pointer: Pointer): void {
    if (!withShown || typeof value !== 'object' || value === null) return;
    if (isReferring(value)) return void free.push({ value, pointer });
    for (const [name, item] of Object.entries(value))
      if (!isDataName(name)) visitFree(item, [...pointer, Array.isArray(value) ? Number(name) : name]);
  }

  function visitReference(place: Node): void {
    if (referenceIn(place.value) === undefined)
      return visit(place.value[REFERENCE], 'text', [...place.pointer, REFERENCE], place);
    references.push(place);
    const siblings = Object.keys(place.value).filter((name) => name !== REFERENCE);
    // What a path item refers to is joined with what is beside the reference (OpenAPI 3.1 §4.8.9).
    if (place.kind === 'PathItem' && siblings.length > 0) return visitObject(place);
    for (const name of siblings) {
      report('stray', [...place.pointer, name], `${name} beside ${REFERENCE} would be ignored: leave it out`);
    }
  }

  function visitObject(place: Node): void {
    const { kind, value, pointer } = place;
    nodes.push(place);
    if (kind === 'Schema' && referenceIn(value) !== undefined) references.push(place);
    const { required = [], fields, others } = GRAMMAR[kind];
    const called = CALLED[kind];
    for (const name of required.filter((parameter) => !(parameter in value))) {
      const isOfPeople = isDocumentation(kind, name);
      report('missing', pointer, `${called} needs ${name}`, { of: value, isDocumentation: isOfPeople });
    }
    for (const [name, child] of Object.entries(value)) {
      const at = [...pointer, name];
      const shape = Object.hasOwn(fields, name) ? fields[name] : name.startsWith('x-') ? undefined : others;
      if (shape) visit(child, shape, at, place);
      else {
        const unknown = `${called} has no field ${name}: leave it out, or begin its name with x-`;
        const message = name.startsWith('x-') ? strayExtension(name) : unknown;
        if (message) report('stray', at, message);
        if (!isDataName(name)) visitFree(child, at);
      }
    }
  }

  visit(object, kind === 'Schema' ? { object: kind } : { reference: kind }, start, undefined);
  return { nodes, references, inclusions, free, findings };
}

const isReferring = (value: unknown): value is Referring => referenceIn(value) !== undefined;

function isInclusion(value: unknown, shape: Shape): value is Referring {
  if (!isReferring(value)) return false;
  if (typeof shape === 'string' || 'words' in shape) return shape !== 'any' && shape !== 'free';
  if ('reference' in shape || 'shown' in shape) return false;
  if ('either' in shape) return shape.either.every((alternative) => isInclusion(value, alternative));
  // A webhook or what a callback calls: the published document has no path items to refer to.
  if ('list' in shape || ('object' in shape && shape.object === 'PathItem')) return true;
  const { fields, others } = 'map' in shape ? { fields: {}, others: shape.map } : GRAMMAR[shape.object];
  const entry = Object.hasOwn(fields, REFERENCE) ? fields[REFERENCE] : others;
  // A name that the author chose, such as that of a tag.
  return entry === undefined || !hasShape(value[REFERENCE], entry);
}

function hasShape(value: unknown, shape: Shape): boolean {
  if (shape === 'text') return typeof value === 'string';
  if (shape === 'flag') return typeof value === 'boolean';
  if (shape === 'number') return typeof value === 'number';
  if (shape === 'positive') return typeof value === 'number' && value > 0;
  if (shape === 'count') return typeof value === 'number' && Number.isInteger(value) && value >= 0;
  if (shape === 'any' || shape === 'free' || 'shown' in shape) return true;
  if ('words' in shape) return typeof value === 'string' && shape.words.includes(value);
  if ('list' in shape) return Array.isArray(value);
  if ('either' in shape) return shape.either.some((alternative) => hasShape(value, alternative));
  return isObject(value);
}

function expected(shape: Shape): string {
  if (shape === 'any' || shape === 'free' || (typeof shape === 'object' && 'shown' in shape))
    return 'anything';
  if (typeof shape === 'string') return WORDS[shape];
  if ('words' in shape) return `one of ${shape.words.join(', ')}`;
  if ('list' in shape) return 'a list (each item after a dash)';
  if ('either' in shape) return shape.either.map(expected).join(', or ');
  if ('map' in shape) return 'an object (names, each with a colon and a value)';
  return `${CALLED['object' in shape ? shape.object : shape.reference]}: an object with fields`;
}

function shortOf(value: unknown): string {
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
  const text = String(JSON.stringify(value));
  return text.length > MOST_QUOTED ? `${text.slice(0, MOST_QUOTED)}…` : text;
}

/** In a message. */
const MOST_QUOTED = 40;

function placeName(pointer: Pointer): string {
  const last = pointer.at(-1);
  return typeof last === 'number' ? `an item of ${pointer.at(-2)}` : (last ?? 'the document');
}

/** Extensions are allowed, unless they resemble one of ours. */
function strayExtension(name: string): string | undefined {
  const names = EXTENSIONS.map((extension) => extension.name);
  const meant = names.find((item) => item === name) ?? names.find((item) => isNearName(name, item));
  if (meant === undefined) return undefined;
  const owners = EXTENSIONS.filter((extension) => extension.name === meant).map(
    (extension) => extension.called,
  );
  if (meant === name) return `${name} belongs to ${owners.join(' or ')}, not here`;
  return `${name} is not known: did you mean ${meant}?`;
}
