import {
  LineCounter,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  visit,
  type Document,
  type Node,
  type YAMLError,
} from 'yaml';
import { ContractError, type Pointer, type Problem } from '../problem.ts';
import { withContinuedLines } from './continued-lines.ts';
import { isRounded, jsonOf, placesIn } from './json-text.ts';

/** A file of YAML or JSON, with the positions of its values. */
export interface Source {
  /** As it was read: lines that continue a text in quotes are further in. */
  readonly text: string;
  readonly data: unknown;
  /** Values that other readers interpret differently. */
  readonly problems: readonly Problem[];
  /** The problem of `message` at `pointer`, or at the nearest place above it that exists. */
  at(pointer: Pointer, message: string): Problem;
}

/**
 * Also for those who write into a file. The number 400 and the text "400" are the same key, and `<<` merges, which YAML 1.2
 * left out and most readers do.
 */
export const YAML = { strict: true, stringKeys: true, merge: true } as const;

/** In characters. Reading more takes gigabytes. */
const MAX_LENGTH = 50_000_000;

/** One YAML mistake causes many errors: the first ones suffice. */
const MAX_YAML_ERRORS = 5;

/** Better words for mistakes of YAML, by their codes, about the rest of the line. */
const WORDS: Readonly<Record<string, (written: string) => string>> = {
  MULTIPLE_DOCS: () => 'the contract is one document: leave out the --- and what follows it',
  DUPLICATE_KEY: () => 'the object has this name already: write one of the two, or join their values',
  NON_STRING_KEY: (written) =>
    `the name in ${written} is a list or an object: write a text, in quotes if it has braces or brackets`,
};

/** Control characters and lone surrogates, which readers of the outputs may drop or take for the end. */
const UNREADABLE = /[^\P{Cc}\t\n\r]|\p{Cs}/u;

const NOT_UTF_8 = 'the file is not UTF-8: save it as UTF-8';

const NOT_1_2 = 'not supported: YAML 1.1, where no is false and 1:30 is 90; leave the %YAML out: it is 1.2';

/** Parses `written`, of the file that messages call `file`. Throws a ContractError that names every YAML mistake, or if it is too large. */
export function parseSource(written: string, file?: string): Source {
  if (written.length > MAX_LENGTH) {
    const message = `too large: ${written.length} characters, and at most ${MAX_LENGTH} are read; split the contract`;
    throw new ContractError([{ line: 1, column: 1, message, ...(file !== undefined && { file }) }]);
  }
  const data = jsonOf(written, (part) => !UNREADABLE.test(part));
  if (data !== undefined) return jsonSource(written, data, file);
  const { text, lines, yaml } = parsed(written);
  const at = placedIn(lines, file);
  // The byte order mark of UTF-16, as PowerShell writes it, read as UTF-8.
  if (text.startsWith('\ufffd')) throw new ContractError([at(0, NOT_UTF_8)]);
  const wrong = [...yaml.errors, ...yaml.warnings].toSorted((a, b) => a.pos[0] - b.pos[0]);
  if (wrong.length > 0) {
    const first = wrong.slice(0, MAX_YAML_ERRORS);
    const words = ({ code, message, pos: [from] }: YAMLError) =>
      WORDS[code]?.(text.slice(from).split('\n', 1).join('').trim()) ?? message;
    throw new ContractError(first.map((mistake) => at(mistake.pos[0], words(mistake))));
  }
  if (yaml.directives?.yaml.version !== '1.2') throw new ContractError([at(text.indexOf('%YAML'), NOT_1_2)]);
  const misleading = misleadingIn(yaml);
  const problems = misleading.map(({ offset, message }) => at(offset, message));
  // An alias of nothing, or of itself, has no value.
  if (misleading.some(({ isFatal }) => isFatal)) throw new ContractError(problems);
  return {
    text,
    problems,
    // The limit on aliases is for untrusted documents.
    data: yaml.toJS({ maxAliasCount: -1 }),
    at: (pointer, message) => at(offsetOf(yaml, pointer), message),
  };
}

/** The problem at an offset of the text that `lines` are of. */
function placedIn(lines: LineCounter, file: string | undefined) {
  return (offset: number, message: string): Problem => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col, message, ...(file !== undefined && { file }) };
  };
}

function jsonSource(text: string, data: unknown, file: string | undefined): Source {
  const lines = new LineCounter();
  const at = placedIn(lines, file);
  const placeOf = placesIn(text);
  return {
    ...{ text, data, problems: [] },
    at(pointer, message) {
      for (let start = 0; lines.lineStarts.length === 0 || start > 0; start = text.indexOf('\n', start) + 1)
        lines.addNewLine(start);
      return at(placeOf(pointer), message);
    },
  };
}

function parsed(text: string) {
  const first = parsedStrictly(text);
  const repaired = first.yaml.errors.length > 0 ? withContinuedLines(text, first.yaml) : undefined;
  const second = repaired === undefined ? first : parsedStrictly(repaired);
  // Otherwise something else is wrong, which the errors of the text as it is written say better.
  return second.yaml.errors.length > 0 ? first : second;
}

function parsedStrictly(text: string) {
  const lines = new LineCounter();
  return { text, lines, yaml: parseDocument(text, { ...YAML, lineCounter: lines, prettyErrors: false }) };
}

/** A scalar is at its value, everything else, and an empty value, at its key. */
function offsetOf(yaml: Document, pointer: Pointer): number {
  let node: unknown = yaml.contents;
  let offset = 0;
  for (const step of pointer) {
    const parent = isAlias(node) ? node.resolve(yaml) : node;
    const pair = isMap(parent) ? parent.items.find(({ key }) => String(key) === step) : undefined;
    const key = pair?.key;
    node = pair ? pair.value : isCollection(parent) ? parent.get(step, true) : undefined;
    const isEmpty = isScalar(node) && node.value === null && !node.source;
    const written = isNode(key) && (isEmpty || !isScalar(node)) ? key : node;
    if (!isNode(written) || !written.range) break;
    offset = written.range[0];
  }
  return offset;
}

interface Misleading {
  readonly offset: number;
  readonly message: string;
  /** Whether the document has no value. */
  readonly isFatal: boolean;
}

/** YAML ends a text in braces at a comma: `{ description: a, b }` has a field b. */
const afterComma = (name: string) =>
  `${name} has no value: put quotes around text with a comma, such as { description: 'one, two' }, or write ${name}: and its value`;

/** Fields whose objects have names that are no keywords. */
const NAMING =
  /^(properties|patternProperties|dependentSchemas|\$defs|schemas|responses|examples?|callbacks)$/;

/** Names without a value, broken or circular aliases, and values that other readers interpret differently. */
function misleadingIn(yaml: Document): Misleading[] {
  const found: Misleading[] = [];
  const report = ({ range }: Node, message: string, isFatal = false) =>
    found.push({ offset: range?.[0] ?? 0, message, isFatal });
  const isExact = (path: readonly unknown[]) => {
    const names = path.flatMap((item) => (isPair(item) && isScalar(item.key) ? [String(item.key)] : []));
    // Not a name that the author chose, and not the response of any other status.
    const isKeyword = (index: number) => !NAMING.test(names[index - 1] ?? '');
    return (
      names.some((name, index) => /^(enum|const|default)$/.test(name) && isKeyword(index)) &&
      !names.some((name, index) => /^examples?$/.test(name) && isKeyword(index))
    );
  };
  const areMaps = (value: unknown): boolean =>
    isSeq(value) ? value.items.every(areMaps) : isMap(isAlias(value) ? anchored.get(value.source) : value);
  // Alias.resolve looks through the whole document.
  const anchored = new Map<string, Node>();
  const note = (node: Node & { anchor?: string }) => node.anchor && anchored.set(node.anchor, node);
  visit(yaml, {
    Collection(_index, node) {
      note(node);
    },
    Pair(_index, { key, value }, path) {
      if (!isScalar(key)) return;
      if (key.value === '<<' && !areMaps(value)) report(key, 'only the names of objects can follow <<', true);
      const before = path.at(-1);
      if (value === null && isMap(before) && before.flow) report(key, afterComma(String(key.value)));
    },
    Scalar(_index, node, path) {
      note(node);
      const { value, source = '' } = node;
      const [unreadable] = UNREADABLE.exec(String(value)) ?? [];
      if (unreadable) {
        const code = unreadable.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
        report(node, `the text has a character that cannot be read (U+${code}): leave it out`);
      }
      if (typeof value !== 'number') return;
      if (!Number.isFinite(value)) report(node, 'JSON has no such number: write a finite one');
      else if (/^[-+]?0\d/.test(source))
        report(
          node,
          `a number with a leading 0 is read as ${value}, or as octal: write it without, or in quotes if it is text`,
        );
      else if (isExact(path) && isRounded(value, source.replace('+', '')))
        report(
          node,
          `the number would be rounded to ${BigInt(value)}: leave it out, or write it in quotes if it is text`,
        );
    },
    Alias(_index, node, path) {
      const target = anchored.get(node.source);
      const wrong = !target ? 'is the name of nothing above' : path.includes(target) && 'contains itself';
      if (wrong) report(node, `*${node.source} ${wrong}: write the value itself`, true);
    },
  });
  return found;
}
