import { readFileSync, realpathSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { isObject } from '../json/index.ts';
import { dereferenced, follow, readModel, readSchemas, type Model, type Schemas } from '../model/index.ts';
import { stringify } from 'yaml';
import { ContractError, type Json, type Pointer, type Problem } from './problem.ts';
import { bundle } from './read/bundle.ts';
import { mendDocumentation } from './read/documentation.ts';
import { OUTSIDE } from './read/files.ts';
import { keepTags } from './read/names.ts';
import type { Origin } from './read/origin.ts';
import { takeOutMisshapenShown } from './read/shown.ts';
import { upgrade, takeOutMisshapen, type Remark } from './read/upgrade.ts';
import { parseSource, type Source } from './read/source.ts';

export {
  ContractError,
  problemLine,
  problemLines,
  type Json,
  type Pointer,
  type Problem,
} from './problem.ts';

export interface SourceDocument {
  /**
   * The contract as OpenAPI 3.1 or 3.2, with referenced files among its components, and with
   * `x-extensible-enum` of the error's code, which follows from `x-error-codes`.
   */
  readonly document: Json;
  /** The schemas of the document, also if other parts of it have another shape than they should. Read on first use. */
  readonly schemas: Schemas;
  /** What the document says of its operations, if it has the right shape. Read on first use. */
  readonly model: Model;
  /** Problems found while reading it. */
  readonly problems: readonly Problem[];
  /** Harmless surprises for its author. */
  readonly remarks: readonly Problem[];
  /** Its files by their paths from the root; the contract itself is `''`. */
  readonly files: ReadonlyMap<string, Source>;
  /** Resolves local references (`#/…`), also chains of them. */
  resolve(value: Json): Json;
  /** The value at `pointer`, through references. */
  valueAt(pointer: Pointer): Json;
  /** The problem of `message` at the place `pointer` leads to, or at the nearest place above it that exists. */
  problemAt(pointer: Pointer, message: string): Problem;
  /** The same for the place itself, even if it is a reference. */
  problemWrittenAt: Source['at'];
  /** The file that has the place itself, and the place in it. */
  writtenAt(pointer: Pointer): Origin;
}

export interface Reading {
  /** The folder of the files that the contract may refer to; its own by default. */
  readonly root?: string | undefined;
  /** How messages call the contract, and, from its folder, the other files; as `file` by default. */
  readonly name?: string;
}

/** Reads the contract in `file`, and the files at or below `root` that it refers to, as `parseContract` does. */
export async function readContract(
  file: string,
  { root, name = file }: Reading = {},
): Promise<SourceDocument> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const missing = /^https?:/.test(name)
      ? 'only files are read: download it, and name the file'
      : 'there is no such file';
    const message = error.code === 'ENOENT' ? missing : `it cannot be read: ${error.message}`;
    throw new ContractError([{ line: 1, column: 1, message }]);
  });
  const contract = await realpath(file);
  const folder = root === undefined ? path.dirname(contract) : await realpath(root).catch(() => root);
  const main = path.relative(folder, contract);
  if (isOutside(main))
    throw new ContractError([
      { line: 1, column: 1, message: `it is not below ${root}: name a folder above it` },
    ]);
  const called = (other: string) =>
    path.join(path.dirname(name), path.relative(path.dirname(contract), path.join(folder, other)));
  return parseContract(
    text,
    (other) => openBelow(folder, other, called(other)),
    main.replaceAll(path.sep, '/'),
  );
}

/** The contract as a text: as it was written, or bundled if it has several files. */
export function inOneFile({ document, files }: SourceDocument): string {
  return files.size > 1 ? writtenOut(document) : (files.get('')?.text ?? '');
}

/** A document as a text. */
export function writtenOut(document: Json): string {
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
}

/** Whether a relative path leads out of the folder that it starts from. */
function isOutside(relative: string): boolean {
  return relative === '' || relative.split(path.sep)[0] === '..' || path.isAbsolute(relative);
}

/** A file at or below `folder`, which messages call `called`. Throws an Error for another, a link out of the folder included. */
export function openBelow(folder: string, name: string, called = name): Source {
  let target;
  try {
    target = realpathSync(path.join(folder, name));
  } catch {
    throw new Error('there is no such file: add it, or correct the path');
  }
  if (isOutside(path.relative(folder, target))) throw new Error(`it is a link that ${OUTSIDE}`);
  try {
    const text = readFileSync(target, 'utf8');
    return TEXT.test(target) ? textSource(text, called) : parseSource(text, called);
  } catch (error) {
    if (error instanceof ContractError) throw error;
    throw new Error('the file cannot be read: correct its permissions', { cause: error });
  }
}

/** Files of Markdown, and samples of code: a description may be in one. */
const TEXT =
  /\.(md|mdx|markdown|txt|text|html?|adoc|rst|sh|bash|curl|http|m?js|ts|py|rb|go|java|kt|php|cs|swift|rs|xml|csv|sql|graphql)$/i;

/** A file whose value is its text. */
function textSource(text: string, file: string): Source {
  return {
    text,
    data: text,
    problems: [],
    at: (_pointer, message) => ({ line: 1, column: 1, message, file }),
  };
}

/** Parses openapi.yaml; `open` opens a file that it refers to. Throws a ContractError for mistakes of YAML. */
export function parseContract(
  text: string,
  open: (file: string) => Source = () => {
    throw new Error('there are no other files');
  },
  name?: string,
): SourceDocument {
  const source = parseSource(text);
  const document: Json = source.data;
  const refuse = (...problem: Parameters<Source['at']>): never => {
    throw new ContractError([...source.problems, source.at(...problem)]);
  };
  if (!isObject(document)) refuse([], NOT_OPENAPI);
  const wrongVersion = versionProblem(document, name);
  if (wrongVersion) refuse(...wrongVersion);
  const files = new Map([['', source]]);
  const bundled = bundle(
    source,
    (file) => {
      const known = files.get(file) ?? open(file);
      files.set(file, known);
      return known;
    },
    name,
  );
  const { writtenAt, leftOut } = bundled;
  const at: Source['at'] = (pointer, message) => {
    const place = writtenAt(pointer);
    return { ...(files.get(place.file) ?? source).at(place.pointer, message), pointer };
  };
  const placed = ({ pointer, message }: Remark) => at(pointer, message);
  const writtenText = (pointer: Pointer) => {
    const { file, line, column } = at(pointer, '');
    const { text } = [...files.values()].find((other) => other.at([], '').file === file) ?? source;
    const rest = text.split('\n', line)[line - 1]?.slice(column - 1) ?? '';
    return /^[\w.+-]+/.exec(rest)?.[0];
  };
  const ofPeople = mendDocumentation(document, writtenText, bundled.noteMoved).map(placed);
  const misshapen = takeOutMisshapen(document, leftOut).map(placed);
  const unshown = takeOutMisshapenShown(document).map(placed);
  const ofYaml = [...files.values()].flatMap((file) => file.problems);
  const problems = [...ofYaml, ...bundled.problems, ...misshapen];
  const remarks = [...bundled.remarks, ...ofPeople, ...unshown, ...upgrade(document).map(placed)];
  keepTags(document, bundled.named);
  const code: Json = document.components?.schemas?.Error?.properties?.code;
  // Not for other values: the added keyword would be reported, and nobody wrote it.
  if (code?.type === 'string' && !code.enum && !code.const && document['x-error-codes'])
    code['x-extensible-enum'] ??= Object.keys(document['x-error-codes']);
  return documentWith(document, { problems, remarks, problemWrittenAt: at, writtenAt, files });
}

const NOT_OPENAPI =
  'the contract must be an OpenAPI document: it begins with openapi: 3.1.0, or a version of 3.0';
const OTHER_VERSION =
  'not supported: another version than OpenAPI 3.0, 3.1 and 3.2; convert the document to 3.1';

/** Where the version of a document is wrong, and what to do; undefined if it is supported. */
function versionProblem(document: Json, file = 'FILE'): [Pointer, string] | undefined {
  const { swagger, openapi } = document;
  if (swagger !== undefined)
    return [
      ['swagger'],
      `not supported: Swagger 2.0; run \`npx swagger2openapi --yaml --outfile openapi.yaml ${file}\``,
    ];
  if (/^3\.[012]\.\d+$/.test(String(openapi))) return undefined;
  const [, minor] = /^3(?:\.([012]))?$/.exec(String(openapi)) ?? [, undefined];
  if (/^3(\.[012])?$/.test(String(openapi))) {
    const version = { 1: '3.1.0', 2: '3.2.0' }[minor ?? ''] ?? '3.0.3';
    return [['openapi'], `write all three numbers of the version, such as openapi: ${version}`];
  }
  return [['openapi'], (openapi ?? undefined) === undefined ? NOT_OPENAPI : OTHER_VERSION];
}

type Original = Pick<SourceDocument, 'problems' | 'remarks' | 'problemWrittenAt' | 'writtenAt' | 'files'>;

/** A contract with another document, and the problems and places of the original. */
export function documentWith(
  document: Json,
  { problems, remarks, problemWrittenAt, writtenAt, files }: Original,
): SourceDocument {
  let schemas: Schemas | undefined;
  let model: Model | undefined;
  return {
    ...{ document, problems, remarks, problemWrittenAt, writtenAt, files },
    get schemas() {
      return (schemas ??= readSchemas(document));
    },
    get model() {
      return (model ??= readModel(document, this.schemas));
    },
    resolve: (value) => follow(document, value)[0],
    valueAt: (pointer) =>
      dereferenced(document, pointer).reduce((node: Json, step) => node?.[step], document),
    problemAt: (pointer, message) => ({
      ...problemWrittenAt(dereferenced(document, pointer), message),
      pointer,
    }),
  };
}
