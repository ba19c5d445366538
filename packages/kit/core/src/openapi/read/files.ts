import { referenceTo, stepsOf } from '../../json/index.ts';
import type { Pointer } from '../problem.ts';
import type { Source } from './source.ts';

/** Where a part of a bundled document was written. */
export interface Origin {
  /** Its path relative to the root; empty for the contract itself. */
  readonly file: string;
  readonly pointer: Pointer;
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
  /** The place that a reference in `file` names. Throws an Error for one outside the folder of the contract. */
  readonly targetOf: (reference: string, file: string) => Origin;
  /** The object or list at a place. Throws an Error if nothing is there. */
  readonly valueAt: (place: Origin) => Holder;
}

/** The files of the contract `main`, whose own path is `mainFile`; `open` finds another, as for `bundle`. */
export function createFiles(main: Source, open: (file: string) => Source, mainFile: string): Files {
  /** The address that the document gives itself: its references may begin with it (OpenAPI 3.2 §4.1.1). */
  const { $self } = Object(main.data) as { $self?: unknown };
  const self = typeof $self === 'string' && URL.canParse($self) ? new URL($self) : undefined;

  /** The file that a path or an address in `file` names. Throws an Error for one outside the folder of the contract. */
  function fileAt(path: string, file: string): string {
    const isAbsolute = /^[a-z][a-z\d+.-]+:|^\/\//i.test(path);
    if (path === '') return file;
    if (path === $self) return '';
    if (self && (isAbsolute || file === '') && URL.canParse(path, self.href)) {
      const { href } = new URL(path, self);
      const folder = new URL('.', self).href;
      if (href === self.href) return '';
      if (href.startsWith(folder)) return relativeTo(mainFile, href.slice(folder.length));
    }
    if (isAbsolute) throw new Error('nothing is fetched from the network: copy the file below the contract');
    return relativeTo(file || mainFile, path);
  }

  function targetOf(reference: string, file: string): Origin {
    const [path = '', fragment = ''] = reference.split('#', 2);
    const target = fileAt(path, file);
    // A pointer in a fragment is percent-encoded (RFC 6901 §6).
    return { file: target === mainFile ? '' : target, pointer: stepsOf(decodeURIComponent(fragment)) };
  }

  const sourceOf = (file: string): Source => (file === '' ? main : open(file));

  /** Why nothing is found at `pointer` of a file. The contract may have it: `#` is the file that the reference is in. */
  function nothingAt({ file, pointer }: Origin): string {
    if (file === '' || pointer.length === 0 || !isHolder(valueIn(main.data, pointer))) return NOTHING;
    const [up, own] = [file.split('/').slice(0, -1), mainFile.split('/')];
    while (up.length > 0 && up[0] === own[0]) [up, own].forEach((steps) => steps.shift());
    const path = [...up.map(() => '..'), ...own].join('/');
    return `${file} has no such part, but the contract has: write ${path}${referenceTo(pointer.map(String))}`;
  }

  function valueAt(place: Origin): Holder {
    const value = valueIn(sourceOf(place.file).data, place.pointer);
    if (!isHolder(value)) throw new Error(nothingAt(place));
    return value;
  }

  return { sourceOf, targetOf, valueAt };
}

/** The value at `pointer` of a document; undefined if there is none. */
export function valueIn(document: unknown, pointer: Pointer): unknown {
  return pointer.reduce((node, step) => (isHolder(node) ? node[step] : undefined), document);
}

/** The path of a file that `from` refers to. Throws an Error for one outside the folder of the contract. */
function relativeTo(from: string, path: string): string {
  const steps: string[] = from.split('/').slice(0, -1);
  for (const step of decodeURIComponent(path).split('/')) {
    if (step === '..' && steps.pop() === undefined) throw new Error(`it ${OUTSIDE}`);
    if (step !== '..' && step !== '.' && step !== '') steps.push(step);
  }
  return steps.join('/');
}
