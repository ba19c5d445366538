import { readFile } from 'node:fs/promises';
import { resolve, stepsOf } from '@kit/contract/json-pointer';
import {
  LineCounter,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  parseDocument,
  visit,
  type Document,
  type Node,
} from 'yaml';

/** A mistake in the contract, at its place in openapi.yaml. Lines and columns count from 1. */
export interface Problem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Thrown when openapi.yaml cannot be generated from; nothing has been written then. */
export class ContractError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[], file = 'openapi.yaml') {
    const lines = problems.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`);
    super([...lines, ...summaryOf(problems)].join('\n'));
    this.name = 'ContractError';
    this.problems = problems;
  }
}

/** As many problems are seen at a glance; of more, the lines that follow them say what is wrong how often. */
const MOST_AT_A_GLANCE = 20;

function summaryOf(problems: readonly Problem[]): string[] {
  if (problems.length <= MOST_AT_A_GLANCE) return [];
  const counts = new Map<string, number>();
  for (const { message } of problems) counts.set(message, (counts.get(message) ?? 0) + 1);
  const often = [...counts].filter(([, count]) => count > 1).sort(([, a], [, b]) => b - a);
  return [
    `\n${problems.length} problems of ${counts.size} kinds${often.length > 0 ? '; more than once:' : ''}`,
    ...often.map(([message, count]) => `${String(count).padStart(6)} × ${message}`),
  ];
}

// The document is read as plain data: its shape is checked by `checkContract`, not by a type.
export type Json = any;

/** One YAML mistake leads to many errors; the first ones tell it. */
const MAX_YAML_ERRORS = 5;

const ONE_DOCUMENT = 'the contract is one document: leave out the --- and what follows it';

/** Readers of the outputs would drop it, read on without it, or take it for the end: half a character is one too. */
const UNREADABLE = /[^\P{Cc}\t\n\r]|\p{Cs}/u;

const NOT_1_2 = 'not supported: YAML 1.1, where no is false and 1:30 is 90; leave the %YAML out: it is 1.2';

/** References and aliases may form a circle. */
const MAX_HOPS = 32;

export type Pointer = readonly (string | number)[];

export interface SourceDocument {
  /** What is written, and `x-extensible-enum` of the error's code, which follows from `x-error-codes`. */
  readonly document: Json;
  /** Follows local references (`#/…`) until it reaches something that is none. */
  resolve(value: Json): Json;
  /** What is at `pointer`, through references. */
  at(pointer: Pointer): Json;
  /** The problem of `message` at the place `pointer` leads to, or at the nearest place above it that exists. */
  problemAt(pointer: Pointer, message: string): Problem;
  /** The same for a place that is itself what is wrong, even if it refers to another. */
  problemWrittenAt(pointer: Pointer, message: string): Problem;
}

/** Reads openapi.yaml, as `parseContract` does. */
export async function readContract(file: string): Promise<SourceDocument> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const message = error.code === 'ENOENT' ? 'there is no such file' : `it cannot be read: ${error.message}`;
    throw new ContractError([{ line: 1, column: 1, message }]);
  });
  return parseContract(text);
}

/** Parses `text`, the content of openapi.yaml. Throws a ContractError that names every YAML mistake. */
export function parseContract(text: string): SourceDocument {
  const lines = new LineCounter();
  const yaml = parseDocument(text, { lineCounter: lines, prettyErrors: false, strict: true });
  const at = (offset: number, message: string): Problem => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col, message };
  };
  const wrong = [...yaml.errors, ...yaml.warnings].toSorted((a, b) => a.pos[0] - b.pos[0]);
  if (wrong.length > 0) {
    const first = wrong.slice(0, MAX_YAML_ERRORS);
    throw new ContractError(
      first.map(({ code, message, pos }) => at(pos[0], code === 'MULTIPLE_DOCS' ? ONE_DOCUMENT : message)),
    );
  }
  if (yaml.directives?.yaml.version !== '1.2') throw new ContractError([at(text.indexOf('%YAML'), NOT_1_2)]);
  const misleading = misleadingIn(yaml).map(([offset, message]) => at(offset, message));
  if (misleading.length > 0) throw new ContractError(misleading);
  // The limit on aliases is for documents of strangers.
  const document: Json = yaml.toJS({ maxAliasCount: -1 });
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new ContractError([at(0, 'the contract must be an OpenAPI document')]);
  }
  const code: Json = document.components?.schemas?.Error?.properties?.code;
  // Of anything else, it would be found beside what it cannot stand beside, and nobody wrote it.
  if (code?.type === 'string' && !code.enum && !code.const && document['x-error-codes'])
    code['x-extensible-enum'] ??= Object.keys(document['x-error-codes']);
  return {
    document,
    resolve: (value) => follow(document, value, [])[0],
    at: (pointer) => dereferenced(document, pointer).reduce((node: Json, step) => node?.[step], document),
    problemAt: (pointer, message) => at(offsetOf(yaml, dereferenced(document, pointer)), message),
    problemWrittenAt: (pointer, message) => at(offsetOf(yaml, pointer), message),
  };
}

/** What is reached from `node` at `place` once its references are followed, and where it is written. */
function follow(document: Json, node: Json, place: Pointer): readonly [Json, Pointer] {
  for (let hops = 0; hops < MAX_HOPS && typeof node?.$ref === 'string'; hops += 1) {
    place = stepsOf(node.$ref);
    node = resolve(document, node.$ref);
  }
  return [node, place];
}

/** `pointer` in terms of where things are written, not of where they are referred to. */
export function dereferenced(document: Json, pointer: Pointer): Pointer {
  let node = document;
  let place: Pointer = [];
  for (const step of pointer) {
    // The reference itself is where it is written.
    if (step !== '$ref') [node, place] = follow(document, node, place);
    node = node?.[step];
    place = [...place, step];
  }
  return follow(document, node, place)[1];
}

/** A scalar is at its value, everything else at its key. */
function offsetOf(yaml: Document, pointer: Pointer): number {
  let node: unknown = yaml.contents;
  let offset = 0;
  for (const step of pointer) {
    const parent = isAlias(node) ? node.resolve(yaml) : node;
    const pair = isMap(parent) ? parent.items.find(({ key }) => String(key) === String(step)) : undefined;
    const key = pair?.key;
    node = pair ? pair.value : isCollection(parent) ? parent.get(step, true) : undefined;
    const written = isNode(key) && !isScalar(node) ? key : node;
    if (!isNode(written) || !written.range) break;
    offset = written.range[0];
  }
  return offset;
}

/** Empty keys, aliases that lead nowhere or back, and what other readers take for something else. */
function misleadingIn(yaml: Document): [offset: number, message: string][] {
  const found: [number, string][] = [];
  const say = ({ range }: Node, message: string) => found.push([range?.[0] ?? 0, message]);
  const isEmpty = (value: unknown) =>
    value === null || (isScalar(value) && value.value === null && !value.source);
  visit(yaml, {
    Map(_index, { items }) {
      // To YAML the number 400 and the text "400" are two keys.
      const names = new Set<string>();
      for (const { key } of items) {
        if (isScalar(key) && names.has(String(key))) say(key, `${String(key)} is there twice`);
        names.add(String(key));
      }
    },
    Pair(_index, { key, value }) {
      if (!isScalar(key)) return;
      if (key.value === '<<') say(key, 'YAML 1.2 has no merge keys (<<): write each entry');
      if (isEmpty(value)) say(key, `${String(key.value)} is left empty`);
    },
    Scalar(index, node) {
      const { value, source = '' } = node;
      const [unreadable] = UNREADABLE.exec(String(value)) ?? [];
      if (unreadable) {
        const code = unreadable.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
        say(node, `the text has a character that cannot be read (U+${code}): leave it out`);
      }
      if (typeof index === 'number' && isEmpty(node)) say(node, 'an item is left empty');
      if (typeof value !== 'number') return;
      if (!Number.isFinite(value)) say(node, 'JSON has no such number');
      else if (/^[-+]?0\d/.test(source))
        say(
          node,
          `a number with a leading 0 is read as ${value}, or as octal: write it without, or in quotes if it is text`,
        );
      else if (/^[-+]?\d+$/.test(source) && BigInt(value) !== BigInt(source.replace('+', '')))
        say(
          node,
          `the number would be rounded to ${BigInt(value)}: leave it out, or write it in quotes if it is text`,
        );
    },
    Alias(_index, node, path) {
      const target = node.resolve(yaml);
      const wrong = !target ? 'is the name of nothing above' : path.includes(target) && 'contains itself';
      if (wrong) say(node, `*${node.source} ${wrong}`);
    },
  });
  return found;
}
