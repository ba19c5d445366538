import type { Json, Pointer } from '../source-document.ts';
import { GRAMMAR, type Kind, type Shape } from './grammar.ts';
import { nearest } from './nearest.ts';

/** An object of the contract: what it is, where it stands, and what it stands in. */
export interface Node {
  readonly kind: Kind;
  readonly value: Json;
  readonly pointer: Pointer;
  readonly parent: Node | undefined;
}

/** A mistake. It may stop `all` of the walk, or the house `rules` that rely on what is missing. */
export interface Violation {
  readonly pointer: Pointer;
  readonly message: string;
  readonly stops: 'all' | 'rules' | 'nothing';
}

export interface Walk {
  readonly nodes: readonly Node[];
  readonly references: readonly Node[];
  readonly violations: readonly Violation[];
}

const EXTENSIONS = Object.entries(GRAMMAR).flatMap(([, { called, fields }]) =>
  Object.keys(fields)
    .filter((name) => name.startsWith('x-'))
    .map((name) => ({ name, called })),
);

/** What a document that comes from elsewhere often leaves out is said together with all else that is wrong with it. */
const WHOLE: readonly Kind[] = ['Document', 'Operation', 'Parameter', 'Header', 'Response', 'MediaType'];

const WORDS = {
  text: 'text (put quotes around it if it looks like something else)',
  flag: 'true or false',
  number: 'a number',
  count: 'a whole number from 0',
} as const;

/** Goes through the whole document once, by the grammar: references are not followed, for what they mean is visited too. */
export function walk(document: Json): Walk {
  const nodes: Node[] = [];
  const references: Node[] = [];
  const violations: Violation[] = [];
  const say = (pointer: Pointer, message: string, stops: Violation['stops'] = 'all') =>
    violations.push({ pointer, message, stops });

  function visit(value: Json, shape: Shape, pointer: Pointer, parent: Node | undefined): void {
    if (shape === 'any') return;
    if (typeof shape !== 'string' && 'either' in shape) {
      const fitting = shape.either.find((each) => hasShape(value, each));
      if (fitting) return visit(value, fitting, pointer, parent);
    }
    if (!hasShape(value, shape)) return void say(pointer, `${nameOf(pointer)} must be ${expected(shape)}`);
    if (typeof shape === 'string' || 'oneOf' in shape || 'either' in shape) return;
    if ('list' in shape) {
      for (const [index, item] of value.entries()) visit(item, shape.list, [...pointer, index], parent);
    } else if ('map' in shape) {
      for (const [name, item] of Object.entries(value)) visit(item, shape.map, [...pointer, name], parent);
    } else if ('reference' in shape && '$ref' in value) {
      visitReference({ kind: shape.reference, value, pointer, parent });
    } else {
      visitObject({
        kind: 'reference' in shape ? shape.reference : shape.object,
        value,
        pointer,
        parent,
      });
    }
  }

  function visitReference(node: Node): void {
    references.push(node);
    for (const name of Object.keys(node.value).filter((each) => each !== '$ref')) {
      say([...node.pointer, name], `${name} beside $ref would be ignored: leave it out`, 'nothing');
    }
  }

  function visitObject(node: Node): void {
    const { kind, value, pointer } = node;
    nodes.push(node);
    if (kind === 'Schema' && '$ref' in value) references.push(node);
    const { called, required = [], fields, others } = GRAMMAR[kind];
    for (const name of required.filter((each) => !(each in value))) {
      // Of OpenAPI's own fields there is much to read elsewhere.
      const where = name.startsWith('x-') ? ': docs/contract.md says what every contract has' : '';
      say(pointer, `${called} needs ${name}${where}`, WHOLE.includes(kind) ? 'rules' : 'all');
    }
    for (const [name, child] of Object.entries<Json>(value)) {
      const at = [...pointer, name];
      const shape = Object.hasOwn(fields, name) ? fields[name] : name.startsWith('x-') ? undefined : others;
      if (shape) visit(child, shape, at, node);
      else {
        const message = name.startsWith('x-') ? strayExtension(name) : strayField(name, called);
        if (message) say(at, message, 'nothing');
      }
    }
  }

  visit(document, { object: 'Document' }, [], undefined);
  return { nodes, references, violations };
}

function hasShape(value: Json, shape: Shape): boolean {
  if (shape === 'text') return typeof value === 'string';
  if (shape === 'flag') return typeof value === 'boolean';
  if (shape === 'number') return typeof value === 'number';
  if (shape === 'count') return Number.isInteger(value) && value >= 0;
  if (shape === 'any') return true;
  if ('oneOf' in shape) return shape.oneOf.includes(value);
  if ('list' in shape) return Array.isArray(value);
  if ('either' in shape) return shape.either.some((each) => hasShape(value, each));
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function expected(shape: Shape): string {
  if (shape === 'any') return 'anything';
  if (typeof shape === 'string') return WORDS[shape];
  if ('oneOf' in shape) return `one of ${shape.oneOf.join(', ')}`;
  if ('list' in shape) return 'a list (each item after a dash)';
  if ('either' in shape) return shape.either.map(expected).join(', or ');
  if ('map' in shape) return 'an object (names, each with a colon and a value)';
  return `${GRAMMAR['object' in shape ? shape.object : shape.reference].called}: an object with fields`;
}

function nameOf(pointer: Pointer): string {
  const last = pointer.at(-1);
  return typeof last === 'number' ? `an item of ${pointer.at(-2)}` : (last ?? 'the document');
}

/** One sentence for fields that OpenAPI lacks and for those that are not supported: neither is ever ignored. */
function strayField(name: string, called: string): string {
  return `${called} has no field ${name} that is supported: leave it out, or begin its name with x-`;
}

/** Extensions are free, unless they look like one of ours. */
function strayExtension(name: string): string | undefined {
  const meant = nearest(
    name,
    EXTENSIONS.map((each) => each.name),
  );
  if (meant === undefined) return undefined;
  const owners = EXTENSIONS.filter((each) => each.name === meant).map((each) => each.called);
  if (meant === name) return `${name} belongs to ${owners.join(' or ')}, not here`;
  return `${name} is not known: did you mean ${meant}?`;
}
