import { REFERENCE, referenceIn } from '../../model/index.ts';
import { isNearName, isObject, type JsonObject } from '../../json/index.ts';
import type { Pointer } from '../problem.ts';
import { CALLED, GRAMMAR, isDocumentation, type Kind, type Shape } from './grammar.ts';

/** An object of the contract: its kind, its place, and its parent. */
export interface Node {
  readonly kind: Kind;
  readonly value: JsonObject;
  readonly pointer: Pointer;
  readonly parent: Node | undefined;
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
type Referring = JsonObject & { readonly [REFERENCE]: string };

/** A reference where OpenAPI has none, as in `paths: { $ref: paths.yaml }`. */
export interface Inclusion {
  readonly shape: Shape;
  readonly value: Referring;
  readonly pointer: Pointer;
}

export interface Walk {
  readonly nodes: readonly Node[];
  readonly references: readonly Node[];
  readonly inclusions: readonly Inclusion[];
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

/** Walks the whole document, or the part at `start`, by the grammar. References are not followed. */
export function walk(object: unknown, kind: Kind = 'Document', start: Pointer = []): Walk {
  const nodes: Node[] = [];
  const references: Node[] = [];
  const inclusions: Inclusion[] = [];
  const findings: Finding[] = [];
  const report = (is: Finding['is'], pointer: Pointer, message: string, more: Partial<Finding> = {}) =>
    findings.push({ pointer, message, is, ...more });

  function visit(value: unknown, shape: Shape, pointer: Pointer, parent: Node | undefined): void {
    if (shape === 'any') return;
    if (isInclusion(value, shape)) return void inclusions.push({ shape, value, pointer });
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
      const place = { kind: shape.reference, value, pointer, parent };
      if (REFERENCE in value) visitReference(place);
      else visitObject(place);
    } else if ('object' in shape && isObject(value)) {
      visitObject({ kind: shape.object, value, pointer, parent });
    }
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
      }
    }
  }

  visit(object, kind === 'Schema' ? { object: kind } : { reference: kind }, start, undefined);
  return { nodes, references, inclusions, findings };
}

function isInclusion(value: unknown, shape: Shape): value is Referring {
  if (typeof shape === 'string' || 'words' in shape || 'reference' in shape) return false;
  if (!isObject(value) || referenceIn(value) === undefined) return false;
  if ('either' in shape) return shape.either.every((alternative) => isInclusion(value, alternative));
  if ('list' in shape) return true;
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
  if (shape === 'any') return true;
  if ('words' in shape) return typeof value === 'string' && shape.words.includes(value);
  if ('list' in shape) return Array.isArray(value);
  if ('either' in shape) return shape.either.some((alternative) => hasShape(value, alternative));
  return isObject(value);
}

function expected(shape: Shape): string {
  if (shape === 'any') return 'anything';
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
