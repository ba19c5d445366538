import { referenceTo, stepsOf } from '../../json/index.ts';
import { componentReference, follow, REFERENCE, referenceIn } from '../../model/index.ts';
import { ContractError, type Json, type Pointer, type Problem } from '../problem.ts';
import { SECTIONS, type Kind } from './grammar.ts';
import { isNewest } from './newest.ts';
import type { Source } from './source.ts';
import { walk, type Inclusion, type Node, type Walk } from './walk.ts';

/** Where a part of a bundled document was written. */
export interface Origin {
  /** Its path relative to the root; empty for the contract itself. */
  readonly file: string;
  readonly pointer: Pointer;
}

export interface Bundled {
  /** Where the place in the bundled document was written. */
  readonly writtenAt: (pointer: Pointer) => Origin;
  readonly problems: readonly Problem[];
  readonly remarks: readonly Problem[];
  /** The empty value for a reference that cannot be resolved. */
  readonly leftOut: ReadonlySet<Json>;
}

/** What a reference does that may not be followed, and the remedy. */
export const OUTSIDE =
  'leads out of the folder of the contract: add --root DIR, a folder that has both, or copy the file below the contract';

const NOTHING = 'it leads to nothing: add what it names, or correct the name';

const INCLUDED = 'OpenAPI has no reference here: what it leads to takes its place';

/** In objects. More are a document that doubles itself at each level. */
const MAX_INCLUDED = 500_000;

/**
 * Turns `main` into a document whose references all lead to its components: targets in another file, or
 * deep in this one, become components, and what a reference includes where OpenAPI has none takes its place.
 * `open` finds a file by its path relative to the contract, and throws an Error
 * whose message says why it cannot.
 */
export function bundle(main: Source, open: (file: string) => Source, mainFile = ''): Bundled {
  const problems: Problem[] = [];
  const remarks: Problem[] = [];
  /** By the pointers of what was written elsewhere. */
  const origins = new Map<string, Origin>();
  const leftOut = new Set<Json>();
  const known = new Map<string, string>();
  /** The files of references that were copied from there. */
  const bases = new Map<Json, string>();
  /** The number of copied objects. */
  let size = 0;
  /** What is being followed: references may form a circle. */
  const followedBy = new Set<string>();

  /** The component that a reference of `kind` leads to, created if needed. */
  function componentFor(kind: Kind, file: string, pointer: Pointer): string {
    const section = SECTIONS[kind];
    if (section === undefined) throw new Error('such an object cannot be referred to: write it here');
    const [root, own, called = '', ...below] = pointer;
    const isOwn = file === '' && root === 'components' && own === section && below.length === 0;
    if (isOwn && Object.hasOwn(main.data.components?.[section] ?? {}, called))
      return componentReference(section, String(called));
    const id = idOf([section, file, ...pointer]);
    const made = known.get(id);
    if (made !== undefined) return made;
    if (file === '' && pointer.length === 0)
      throw new Error('it leads to the whole document: name a component of it');
    const value = valueAt(sourceOf(file), pointer);
    if (!isTarget(value)) throw new Error(nothingAt(file, pointer));
    const further = leadsOn(kind, value, file, id);
    if (further !== undefined) return further;
    main.data.components ??= {};
    const components = (main.data.components[section] ??= {});
    const words = pointer.length > 0 ? pointer.slice(-2) : [file.replace(/^.*\/|\.\w+$/g, '')];
    const [last = 'Item'] = words.slice(-1);
    const plain = (name: unknown) => String(name).replaceAll(/[^\w.-]+/g, '_');
    let name = plain(file === '' ? words.join('_') : last);
    for (let next = 2; Object.hasOwn(components, name); next += 1) name = `${plain(last)}${next}`;
    const reference = componentReference(section, name);
    known.set(id, reference);
    components[name] = value;
    const at = ['components', section, name];
    origins.set(idOf(at), { file, pointer });
    mend(() => walk(valueAt(main, at), kind, at), file);
    return reference;
  }

  /** Where a value that is only a reference leads, as in an index of files: it needs no component for itself. */
  function leadsOn(kind: Kind, value: Json, file: string, id: string): string | undefined {
    const next = referenceIn(value);
    if (next === undefined || Object.keys(value).length > 1 || followedBy.has(id)) return undefined;
    followedBy.add(id);
    try {
      const reference = followed(kind, next, file);
      known.set(id, reference);
      return reference;
    } catch {
      // `mend` reports it, at its own place.
      return undefined;
    } finally {
      followedBy.delete(id);
    }
  }

  /** The component that a reference in `file` leads to. Throws an Error for one that cannot be followed. */
  function followed(kind: Kind, reference: string, file: string): string {
    const target = targetOf(reference, file);
    return componentFor(kind, target.file, target.pointer);
  }

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

  /** The place that a reference in `file` names. Throws an Error for one outside the folder of the contract. */
  function targetOf(reference: string, file: string): Origin {
    const [path = '', fragment = ''] = reference.split('#', 2);
    const target = fileAt(path, file);
    // A pointer in a fragment is percent-encoded (RFC 6901 §6).
    return { file: target === mainFile ? '' : target, pointer: stepsOf(decodeURIComponent(fragment)) };
  }

  const sourceOf = (file: string): Source => (file === '' ? main : open(file));

  /** Why nothing is found at `pointer` of a file. The contract may have it: `#` is the file that the reference is in. */
  function nothingAt(file: string, pointer: Pointer): string {
    if (file === '' || pointer.length === 0 || !isTarget(valueAt(main, pointer))) return NOTHING;
    const [up, own] = [file.split('/').slice(0, -1), mainFile.split('/')];
    while (up.length > 0 && up[0] === own[0]) [up, own].forEach((steps) => steps.shift());
    const path = [...up.map(() => '..'), ...own].join('/');
    return `${file} has no such part, but the contract has: write ${path}${referenceTo(pointer.map(String))}`;
  }

  function writtenAt(pointer: Pointer): Origin {
    for (let length = pointer.length; length > 0; length -= 1) {
      const origin = origins.get(idOf(pointer.slice(0, length)));
      if (origin) return { file: origin.file, pointer: [...origin.pointer, ...pointer.slice(length)] };
    }
    return { file: '', pointer };
  }

  const at: Source['at'] = (pointer, message) => {
    const place = writtenAt(pointer);
    return sourceOf(place.file).at(place.pointer, message);
  };

  function reportUnfollowed(reference: string, pointer: Pointer, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    // The mistakes of a file that is not YAML have their places in it.
    problems.push(
      ...(error instanceof ContractError
        ? error.problems
        : [at([...pointer, REFERENCE], `the reference cannot be followed (${reference}): ${reason}`)]),
    );
  }

  /** What an inclusion leads to. Throws an Error for one that cannot be followed. */
  function included(reference: string, file: string, pointer: Pointer): { found: Json; target: Origin } {
    const outer = pointer.map((_, length) => origins.get(idOf(pointer.slice(0, length))));
    const seen = new Set(outer.flatMap((origin) => (origin ? idOf([origin.file, ...origin.pointer]) : [])));
    let target = targetOf(reference, file);
    for (;;) {
      const id = idOf([target.file, ...target.pointer]);
      if (seen.has(id)) throw new Error('it leads back to itself: write the value at one of its places');
      seen.add(id);
      const found = valueAt(sourceOf(target.file), target.pointer);
      if (!isTarget(found)) throw new Error(nothingAt(target.file, target.pointer));
      const next = referenceIn(found);
      if (next === undefined || Object.keys(found).length > 1) return { found, target };
      target = targetOf(next, bases.get(found) ?? target.file);
    }
  }

  /** A copy in which references mean what they mean in `file`. */
  function copyOf(value: Json, file: string): Json {
    if (typeof value !== 'object' || value === null) return value;
    size += 1;
    if (size > MAX_INCLUDED)
      throw new Error('what is included is too large: write a component, and refer to it');
    const copy: Json = Array.isArray(value)
      ? value.map((item) => copyOf(item, file))
      : Object.fromEntries(Object.entries(value).map(([name, item]) => [name, copyOf(item, file)]));
    bases.set(copy, bases.get(value) ?? file);
    if (mended.has(value)) mended.add(copy);
    return copy;
  }

  /** Puts what an inclusion leads to in its place, with its siblings. */
  function include({ shape, value, pointer }: Inclusion, file: string): void {
    const holder = valueAt(main, pointer.slice(0, -1));
    const last = pointer.at(-1) as string;
    const { [REFERENCE]: reference, ...beside } = value;
    try {
      const { found, target } = included(reference, file, pointer);
      const copy = copyOf(found, target.file);
      if (!(isOfMedia(shape) && isNewest(main.data))) remarks.push(at([...pointer, REFERENCE], INCLUDED));
      holder[last] = Array.isArray(copy) ? copy : Object.assign(copy, beside);
      origins.set(idOf(pointer), target);
    } catch (error) {
      reportUnfollowed(reference, pointer, error);
      holder[last] = typeof shape === 'object' && 'list' in shape ? [] : {};
      leftOut.add(holder[last]);
      // An operation without parameters would be a second mistake.
      if (typeof shape === 'object' && 'object' in shape && shape.object === 'Operation') delete holder[last];
    }
  }

  /** What `find` finds when everything is included. */
  function withInclusions(find: () => Walk, file: string): Walk {
    let found = find();
    for (; found.inclusions.length > 0; found = find())
      for (const inclusion of found.inclusions) include(inclusion, bases.get(inclusion.value) ?? file);
    return found;
  }

  /** A mapping names a component, or has a reference (OpenAPI 3.1 §4.8.25). */
  function mendMappings(nodes: readonly Node[], outer: string): void {
    for (const { kind, value } of nodes) {
      if (kind !== 'Discriminator' || mended.has(value)) continue;
      mended.add(value);
      const file = bases.get(value) ?? outer;
      const mend = (holder: Json, name: string) => {
        const target: unknown = holder[name];
        if (typeof target !== 'string' || Object.hasOwn(main.data.components?.schemas ?? {}, target)) return;
        if (file === '' && target.startsWith('#/components/schemas/')) return;
        try {
          holder[name] = followed('Schema', target, file);
        } catch {
          // The name of a schema of another file, which its branches have in their references.
        }
      };
      for (const tag of Object.keys(value.mapping ?? {})) mend(value.mapping, tag);
      mend(value, 'defaultMapping');
    }
  }

  function mend(find: () => Walk, outer: string): void {
    const { references, nodes } = withInclusions(find, outer);
    for (const { kind, value, pointer } of references) {
      const reference = referenceIn(value);
      if (reference === undefined || mended.has(value)) continue;
      mended.add(value);
      const file = bases.get(value) ?? outer;
      try {
        // A reference to a component of the same document needs no change.
        const [, section, name = ''] = /^#\/components\/(\w+)\/([\w.-]+)$/.exec(reference) ?? [];
        if (file === '' && section !== undefined && section === SECTIONS[kind]) {
          if (Object.hasOwn(main.data.components?.[section] ?? {}, name)) continue;
          throw new Error('there is no such component: add it, or correct the name');
        }
        if (file === '' && Object.values(SECTIONS).includes(section ?? ''))
          throw new Error(`it is a component of another kind: refer to one of components.${SECTIONS[kind]}`);
        value[REFERENCE] = followed(kind, reference, file);
      } catch (error) {
        reportUnfollowed(reference, pointer, error);
        leaveOut(value, leftOut);
      }
    }
    mendMappings(nodes, outer);
  }

  /** What is included among the components has its name for all who refer to its file. */
  function nameIncluded(): void {
    for (const section of Object.values(SECTIONS))
      for (const name of Object.keys(main.data.components?.[section] ?? {})) {
        const { file, pointer } = writtenAt(['components', section, name]);
        if (file !== '') known.set(idOf([section, file, ...pointer]), componentReference(section, name));
      }
  }

  /** A component that is only a reference to another file is what that file has: it needs no second name. */
  function takeIn(): void {
    const taken: (() => void)[] = [];
    for (const [kind, section] of Object.entries(SECTIONS)) {
      for (const [name, value] of Object.entries<Json>(main.data.components?.[section] ?? {})) {
        const reference = referenceIn(value);
        if (reference === undefined || Object.keys(value).length > 1) continue;
        try {
          const { file, pointer } = targetOf(reference, bases.get(value) ?? '');
          const id = idOf([section, file, ...pointer]);
          if (file === '' || known.has(id)) continue;
          const found = valueAt(open(file), pointer);
          if (typeof found !== 'object' || found === null || REFERENCE in found) continue;
          known.set(id, componentReference(section, name));
          main.data.components[section][name] = found;
          const at = ['components', section, name];
          origins.set(idOf(at), { file, pointer });
          taken.push(() => mend(() => walk(valueAt(main, at), kind as Kind, at), file));
        } catch {
          // `mend` reports it.
        }
      }
    }
    for (const mendTaken of taken) mendTaken();
  }

  const mended = new Set<Json>();
  withInclusions(() => walk(main.data), '');
  nameIncluded();
  takeIn();
  mend(() => walk(main.data), '');
  for (const { value, pointer } of walk(main.data).references) {
    if (referenceIn(follow(main.data, value)[0]) === undefined) continue;
    const message = `the reference leads back to itself (${value[REFERENCE]}): write the value at one of its places`;
    problems.push(at([...pointer, REFERENCE], message));
    leaveOut(value, leftOut);
  }
  return { writtenAt, problems, remarks, leftOut };
}

const idOf = (steps: Pointer): string => steps.join('\n');

function valueAt({ data }: Source, pointer: Pointer): Json {
  return pointer.reduce<Json>(
    (node, step) => (typeof node === 'object' && node !== null ? node[step] : undefined),
    data,
  );
}

/** The path of a file that `from` refers to. Throws an Error for one outside the folder of the contract. */
const isTarget = (value: Json): boolean => typeof value === 'object' && value !== null;

function relativeTo(from: string, path: string): string {
  const steps: string[] = from.split('/').slice(0, -1);
  for (const step of decodeURIComponent(path).split('/')) {
    if (step === '..' && steps.pop() === undefined) throw new Error(`it ${OUTSIDE}`);
    if (step !== '..' && step !== '.' && step !== '') steps.push(step);
  }
  return steps.join('/');
}

/** Whether it is a media type, which OpenAPI 3.2 §4.7 lets stand among the components. */
function isOfMedia(shape: Inclusion['shape']): boolean {
  return typeof shape === 'object' && 'object' in shape && shape.object === 'MediaType';
}

/** Empties invalid parts, so that the rest can be checked; the contract is rejected anyway. */
function leaveOut(value: Json, leftOut: Set<Json>): void {
  for (const name of Object.keys(value)) delete value[name];
  leftOut.add(value);
}
