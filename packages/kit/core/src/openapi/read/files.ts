import { isObject, referenceTo, stepsOf, type JsonObject } from '../../json/index.ts';
import { REFERENCE } from '../../model/index.ts';
import type { Pointer, Problem } from '../problem.ts';
import { createIdentifiers, eachPart } from './identifiers.ts';
import type { Origin } from './origin.ts';
import type { Source } from './source.ts';

/** What a reference names. */
export interface Target extends Origin {
  /** What its author may not expect. */
  readonly remark?: string;
}

/** An object or a list of a document, with its values by their steps. The bundler changes them in place. */
export type Holder = Record<string | number, unknown>;

export const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null;

/** What a reference does that may not be followed, and the remedy. */
export const OUTSIDE =
  'leads out of the folder of the contract: add --root DIR, a folder that has both, or copy the file below the contract';

const NOTHING = 'it leads to nothing: add what it names, or correct the name';

/** The files of a contract, and what references in them name. */
export interface Files {
  readonly sourceOf: (file: string) => Source;
  /** The place that a reference at a place names. Throws an Error for one outside the folder of the contract. */
  readonly targetOf: (reference: string, from: Origin) => Target;
  /** The value at a place. Throws an Error if nothing is there. */
  readonly partAt: (place: Origin) => unknown;
  /** The object or list at a place. Throws an Error if nothing is there. */
  readonly valueAt: (place: Origin) => Holder;
  /** Schemas with a `$dynamicAnchor`. */
  readonly dynamic: (name: string) => readonly Origin[];
  /** Of identifiers that several schemas have. */
  readonly problems: readonly Problem[];
}

/** The files of the contract `main`, whose own path is `mainFile`; `open` finds another, as for `bundle`. */
export function createFiles(main: Source, open: (file: string) => Source, mainFile: string): Files {
  /** The address that the document gives itself: its references may begin with it (OpenAPI 3.2 §4.1.1). */
  const { $self } = Object(main.data) as { $self?: unknown };
  const self = typeof $self === 'string' && URL.canParse($self) ? new URL($self) : undefined;
  /** Of a file: it tells the files apart, and a relative `$id` begins with it. */
  const addressOf = (file: string): string => {
    if (file === '' && self) return self.href;
    return `contract:///${(file || mainFile).split('/').map(encodeURIComponent).join('/')}`;
  };
  const identifiers = createIdentifiers(addressOf);
  identifiers.add('', main);
  const opened = new Map([['', main]]);

  /** The file that a path or an address in `file` names. Throws an Error for one outside the folder of the contract. */
  function fileAt(path: string, file: string): string {
    if (path === '') return file;
    if (path === $self) return '';
    if (self && (isAbsolute(path) || file === '') && URL.canParse(path, self.href)) {
      const { href } = new URL(path, self);
      const folder = new URL('.', self).href;
      if (href === self.href) return '';
      if (href.startsWith(folder)) return relativeTo(mainFile, href.slice(folder.length));
    }
    if (isAbsolute(path))
      throw new Error('nothing is fetched from the network: copy the file below the contract');
    const found = relativeTo(file || mainFile, path);
    return found === mainFile ? '' : found;
  }

  const sourceOf = (file: string): Source => {
    const source = file === '' ? main : open(file);
    identifiers.add(file, source);
    opened.set(file, source);
    return source;
  };

  function targetOf(reference: string, from: Origin): Target {
    const [path, fragment] = partsOf(reference);
    const identified = identifiedBy(path, fragment, from);
    if (identified) return identified;
    const file = fileAt(path, from.file);
    if (isAnchor(fragment)) {
      sourceOf(file);
      const address = identifiers.baseAt({ file, pointer: [] }) ?? addressOf(file);
      const [schema] = identifiers.withAnchor(address, percentDecoded(fragment));
      if (schema) return schema;
      throw new Error(
        `no schema there has the $anchor ${fragment}: add it, or write a path, such as #/components/…`,
      );
    }
    const [pointer, ...others] = pointersOf(fragment);
    if (others.length > 0 || (file !== '' && path === '')) {
      const { data } = sourceOf(file);
      const found = [pointer, ...others].find((steps) => valueIn(data, steps) !== undefined);
      if (found) return { file, pointer: found };
      // Other tools put the files together first: then `#` is the contract.
      if (file !== '' && path === '' && isHolder(valueIn(main.data, pointer)))
        return { file: '', pointer, remark: meansContract(file, pointer) };
    }
    return { file, pointer };
  }

  /** The schema that a reference names by its `$id` or anchor, or what is below it. */
  function identifiedBy(path: string, fragment: string, from: Origin): Target | undefined {
    const base = identifiers.baseAt(from);
    if (base === undefined && !isAbsolute(path) && (path === '' || !identifiers.haveIds())) return undefined;
    const address = path === '' ? base : absolute(path, base ?? addressOf(from.file));
    if (address === undefined) return undefined;
    const known = () => identifiers.withId(address);
    if (!known() && (base !== undefined || isAbsolute(path))) openAll();
    const root = known();
    if (!root) return undefined;
    if (isAnchor(fragment)) return identifiers.withAnchor(address, percentDecoded(fragment))[0];
    const { data } = sourceOf(root.file);
    return pointersOf(fragment)
      .map((steps) => ({ file: root.file, pointer: [...root.pointer, ...steps] }))
      .find(({ pointer }) => valueIn(data, pointer) !== undefined);
  }

  let areAllOpen = false;
  /** Opens each file that a path leads to: the schema with an `$id` may be in one that is not open yet. */
  function openAll(): void {
    if (areAllOpen) return;
    areAllOpen = true;
    // Those that are opened meanwhile are searched, too.
    for (const [file, { data }] of opened) searchPaths(data, file, false);
  }

  function searchPaths(value: unknown, file: string, isOfNames: boolean): void {
    if (Array.isArray(value)) for (const item of value) searchPaths(item, file, false);
    if (!isObject(value)) return;
    const reference = isOfNames ? undefined : value[REFERENCE];
    if (typeof reference === 'string') {
      try {
        sourceOf(fileAt(partsOf(reference)[0], file));
      } catch {
        // It is reported where it is followed.
      }
    }
    eachPart(value, isOfNames, (_name, part, areNames) => searchPaths(part, file, areNames));
  }

  function meansContract(file: string, pointer: Pointer): string {
    const [up, own] = [file.split('/').slice(0, -1), mainFile.split('/')];
    while (up.length > 0 && up[0] === own[0]) [up, own].forEach((steps) => steps.shift());
    const path = [...up.map(() => '..'), ...own].join('/');
    return `${file} has no such part, so that of the contract is meant: write ${path}${referenceTo(pointer)}`;
  }

  function partAt({ file, pointer }: Origin): unknown {
    const value = valueIn(sourceOf(file).data, pointer);
    if (value === undefined) throw new Error(NOTHING);
    return value;
  }

  function valueAt(place: Origin): Holder {
    const value = partAt(place);
    if (!isHolder(value)) throw new Error(NOTHING);
    return value;
  }

  const dynamic = (name: string) => {
    openAll();
    return identifiers.dynamic(name);
  };
  return { sourceOf, targetOf, partAt, valueAt, dynamic, problems: identifiers.problems };
}

/** The value at `pointer` of a document; undefined if there is none. */
export function valueIn(document: unknown, pointer: Pointer): unknown {
  return pointer.reduce(
    (node, step) => (isHolder(node) && Object.hasOwn(node, step) ? node[step] : undefined),
    document,
  );
}

const isAbsolute = (path: string): boolean => /^[a-z][a-z\d+.-]+:|^\/\//i.test(path);

const absolute = (path: string, base: string): string | undefined =>
  URL.canParse(path, base) ? new URL(path, base).href : undefined;

/** The path and the fragment of a reference. */
function partsOf(reference: string): [path: string, fragment: string] {
  const start = reference.indexOf('#');
  return start < 0 ? [reference, ''] : [reference.slice(0, start), reference.slice(start + 1)];
}

/** Whether a fragment is the name of a schema instead of a pointer. */
const isAnchor = (fragment: string): boolean => fragment !== '' && !fragment.startsWith('/');

/** The pointers that a fragment may be: percent-encoded (RFC 6901 §6), or with names as they are, or each encoded. */
function pointersOf(fragment: string): [Pointer, ...Pointer[]] {
  const right = stepsOf(percentDecoded(fragment));
  const names = stepsOf(fragment);
  return fragment.includes('%') ? [right, names, names.map(percentDecoded)] : [right];
}

export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A name with a percent sign, as it is.
    return text;
  }
}

/** The path of a file that `from` refers to. Throws an Error for one outside the folder of the contract. */
function relativeTo(from: string, path: string): string {
  const steps: string[] = from.split('/').slice(0, -1);
  for (const step of percentDecoded(path).split('/')) {
    if (step === '..' && steps.pop() === undefined) throw new Error(`it ${OUTSIDE}`);
    if (step !== '..' && step !== '.' && step !== '') steps.push(step);
  }
  return steps.join('/');
}

/** Deletes what is at `pointers`, which are in the order of the document. */
export function takeOut(document: JsonObject, pointers: readonly Pointer[]): void {
  for (const pointer of pointers.toReversed()) {
    const holder = valueIn(document, pointer.slice(0, -1));
    const last = pointer.at(-1);
    if (Array.isArray(holder)) holder.splice(Number(last), 1);
    else if (last !== undefined && isHolder(holder)) delete holder[last];
  }
}
