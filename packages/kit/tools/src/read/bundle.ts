import { resolve, stepsOf } from '@kit/contract/json-pointer';
import type { Json, Pointer, Problem } from '../problem.ts';
import { SECTIONS, type Kind } from './grammar.ts';
import type { Source } from './source.ts';
import { walk, type Node, type Walk } from './walk.ts';

/** Where a component of a bundled document was written. */
export interface Origin {
  readonly source: Source;
  readonly pointer: Pointer;
}

export interface Bundled {
  /** By section and name, such as `schemas/Loan`. */
  readonly origins: ReadonlyMap<string, Origin>;
  readonly problems: readonly Problem[];
  /** The empty value for a reference that cannot be resolved. */
  readonly leftOut: ReadonlySet<Json>;
}

/** What a reference does that may not be followed, and the remedy. */
export const OUTSIDE =
  'leads out of the folder of the contract: add --root DIR, a folder that has both, or copy the file below the contract';

/** Limits chains of references, which may be circular. */
const MAX_HOPS = 32;

/**
 * Turns `main` into a document whose references all lead to its components: targets in another file, or
 * deep in this one, become components. `open` finds a file by its path relative to the contract, and throws an Error
 * whose message says why it cannot.
 */
export function bundle(main: Source, open: (file: string) => Source, mainFile = ''): Bundled {
  const problems: Problem[] = [];
  const origins = new Map<string, Origin>();
  const leftOut = new Set<Json>();
  const known = new Map<string, string>();

  /** The component that a reference of `kind` leads to, created if needed. */
  function componentFor(kind: Kind, target: string, pointer: Pointer): string {
    const section = SECTIONS[kind];
    if (section === undefined) throw new Error('this kind of object cannot be referred to');
    const file = target === mainFile ? '' : target;
    const [root, own, called = '', ...below] = pointer;
    const isOwn = file === '' && root === 'components' && own === section && below.length === 0;
    if (isOwn && Object.hasOwn(main.data.components?.[section] ?? {}, called))
      return `#/components/${section}/${called}`;
    const id = [section, file, ...pointer].join('\n');
    const made = known.get(id);
    if (made !== undefined) return made;
    const source = file === '' ? main : open(file);
    const value = valueAt(source, pointer);
    if (typeof value !== 'object' || value === null)
      throw new Error('it leads to nothing: add what it names, or correct the name');
    main.data.components ??= {};
    const components = (main.data.components[section] ??= {});
    const words = pointer.length > 0 ? pointer.slice(-2) : [file.replace(/^.*\/|\.\w+$/g, '')];
    const [last = 'Item'] = words.slice(-1);
    const plain = (name: unknown) => String(name).replaceAll(/[^\w.-]+/g, '_');
    let name = plain(file === '' ? words.join('_') : last);
    for (let next = 2; Object.hasOwn(components, name); next += 1) name = `${plain(last)}${next}`;
    const reference = `#/components/${section}/${name}`;
    known.set(id, reference);
    components[name] = value;
    origins.set(`${section}/${name}`, { source, pointer });
    mend(walk(value, kind, ['components', section, name]), source, file, pointer);
    return reference;
  }

  /** The component that a reference in `file` leads to. Throws an Error for one that cannot be followed. */
  function followed(kind: Kind, reference: string, file: string): string {
    const [path = '', fragment = ''] = reference.split('#', 2);
    if (/^[a-z][a-z\d+.-]+:|^\/\//i.test(path)) throw new Error('nothing is fetched from the network');
    const target = path === '' ? file : relativeTo(file || mainFile, path);
    // A pointer in a fragment is percent-encoded (RFC 6901 §6).
    return componentFor(kind, target, stepsOf(decodeURIComponent(fragment)));
  }

  /** A mapping names a component, or has a reference (OpenAPI 3.1 §4.8.25). */
  function mendMappings(nodes: readonly Node[], file: string): void {
    for (const { kind, value } of nodes) {
      if (kind !== 'Discriminator' || mended.has(value)) continue;
      mended.add(value);
      for (const [tag, target] of Object.entries<unknown>(value.mapping ?? {})) {
        if (typeof target !== 'string' || Object.hasOwn(main.data.components?.schemas ?? {}, target))
          continue;
        if (file === '' && target.startsWith('#/components/schemas/')) continue;
        try {
          value.mapping[tag] = followed('Schema', target, file);
        } catch {
          // The name of a schema of another file, which its branches have in their references.
        }
      }
    }
  }

  function mend({ references, nodes }: Walk, source: Source, file: string, at: Pointer): void {
    for (const { kind, value, pointer } of references) {
      const reference: unknown = value.$ref;
      if (typeof reference !== 'string' || mended.has(value)) continue;
      mended.add(value);
      try {
        // A reference to a component of the same document needs no change.
        const [, section, name = ''] = /^#\/components\/(\w+)\/([\w.-]+)$/.exec(reference) ?? [];
        if (file === '' && section !== undefined && section === SECTIONS[kind]) {
          if (Object.hasOwn(main.data.components?.[section] ?? {}, name)) continue;
          throw new Error('there is no such component: add it, or correct the name');
        }
        if (file === '' && Object.values(SECTIONS).includes(section ?? ''))
          throw new Error('it is a component of another kind');
        value.$ref = followed(kind, reference, file);
      } catch (error) {
        const place = file === '' ? pointer : [...at, ...pointer.slice(3)];
        const reason = error instanceof Error ? error.message : String(error);
        problems.push(
          source.at([...place, '$ref'], `the reference cannot be followed (${reference}): ${reason}`),
        );
        leaveOut(value, leftOut);
      }
    }
    mendMappings(nodes, file);
  }

  /** A component that is only a reference to another file is what that file has: it needs no second name. */
  function takeIn(): void {
    for (const [kind, section] of Object.entries(SECTIONS)) {
      for (const [name, value] of Object.entries<Json>(main.data.components?.[section] ?? {})) {
        const reference: unknown = value?.$ref;
        if (typeof reference !== 'string' || reference.startsWith('#') || Object.keys(value).length > 1)
          continue;
        try {
          const [path = '', fragment = ''] = reference.split('#', 2);
          if (/^[a-z][a-z\d+.-]+:|^\/\//i.test(path)) continue;
          const file = relativeTo(mainFile, path);
          const pointer = stepsOf(decodeURIComponent(fragment));
          const id = [section, file, ...pointer].join('\n');
          const source = open(file);
          const found = valueAt(source, pointer);
          if (known.has(id) || typeof found !== 'object' || found === null || found.$ref) continue;
          known.set(id, `#/components/${section}/${name}`);
          main.data.components[section][name] = found;
          origins.set(`${section}/${name}`, { source, pointer });
          taken.push([kind as Kind, section, name, source, file, pointer]);
        } catch {
          // `mend` reports it.
        }
      }
    }
    for (const [kind, section, name, source, file, pointer] of taken)
      mend(
        walk(main.data.components[section][name], kind, ['components', section, name]),
        source,
        file,
        pointer,
      );
  }

  const taken: [Kind, string, string, Source, string, Pointer][] = [];
  const mended = new Set<Json>();
  takeIn();
  mend(walk(main.data), main, '', []);
  for (const { value, pointer } of walk(main.data).references) {
    let node = value;
    for (let hops = 0; hops < MAX_HOPS && typeof node?.$ref === 'string'; hops += 1)
      node = resolve(main.data, node.$ref);
    if (node?.$ref === undefined) continue;
    problems.push(main.at([...pointer, '$ref'], `the reference leads back to itself (${value.$ref})`));
    leaveOut(value, leftOut);
  }
  return { origins, problems, leftOut };
}

function valueAt({ data }: Source, pointer: Pointer): Json {
  return pointer.reduce<Json>(
    (node, step) => (typeof node === 'object' && node !== null ? node[step] : undefined),
    data,
  );
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

/** Empties invalid parts, so that the rest can be checked; the contract is refused anyway. */
function leaveOut(value: Json, leftOut: Set<Json>): void {
  for (const name of Object.keys(value)) delete value[name];
  leftOut.add(value);
}
