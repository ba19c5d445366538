import { isObject, type JsonObject } from '../../json/index.ts';
import { componentReference, follow, REFERENCE, referenceIn } from '../../model/index.ts';
import type { Pointer, Problem } from '../problem.ts';
import { leaveOut, noteOrigin, problemOf, startBundling, writtenAt, type Bundling } from './bundling.ts';
import { createFiles, isHolder, valueIn } from './files.ts';
import { SECTIONS, type Kind } from './grammar.ts';
import { withInclusions } from './inclusions.ts';
import { planNames, renameComponents } from './names.ts';
import { joinPathItems } from './path-items.ts';
import { mend, mendAt } from './references.ts';
import { idOf, type Origin } from './origin.ts';
import { settleShown } from './shown.ts';
import type { Source } from './source.ts';
import { walk } from './walk.ts';

export interface Bundled {
  /** Where the place in the bundled document was written. */
  readonly writtenAt: (pointer: Pointer) => Origin;
  /** Notes that what is at `to` was at `from` in the bundled document. */
  readonly noteMoved: (from: Pointer, to: Pointer) => void;
  readonly problems: readonly Problem[];
  readonly remarks: readonly Problem[];
  /** The empty value for a reference that cannot be resolved. */
  readonly leftOut: ReadonlySet<object>;
  /** The names that authors gave to components that have other ones here, by their sections and names. */
  readonly named: ReadonlyMap<string, string>;
}

/**
 * Turns `main` into a document whose references all lead to its components: targets in another file, or
 * deep in this one, become components, and what a reference includes where OpenAPI has none takes its place.
 * `open` finds a file by its path relative to the contract, and throws an Error
 * whose message says why it cannot.
 */
export function bundle(main: Source, open: (file: string) => Source, mainFile = ''): Bundled {
  // `parseContract` refuses every other value.
  const document = main.data as JsonObject;
  const bundling = startBundling(document, createFiles(main, open, mainFile));
  const { remarks, leftOut } = bundling;
  const whole = () => walk(document, 'Document', [], true);
  withInclusions(bundling, whole, '');
  planNames(bundling);
  nameIncluded(bundling);
  takeIn(bundling);
  mend(bundling, whole, '');
  leaveOutCircles(bundling);
  joinPathItems(bundling);
  settleShown(bundling);
  renameComponents(bundling);
  return {
    writtenAt: (pointer) => writtenAt(bundling, pointer),
    noteMoved: (from, to) => noteOrigin(bundling, to, { file: '', pointer: from }),
    problems: [...bundling.files.problems, ...bundling.problems],
    ...{ remarks, leftOut },
    named: bundling.named,
  };
}

/** What is included among the components has its name for all who refer to its file. */
function nameIncluded(bundling: Bundling): void {
  const { document, known } = bundling;
  for (const section of Object.values(SECTIONS))
    for (const name of Object.keys(valueIn(document, ['components', section]) ?? {})) {
      const { file, pointer } = writtenAt(bundling, ['components', section, name]);
      if (file !== '') known.set(idOf([section, file, ...pointer]), componentReference(section, name));
    }
}

/** A component that is only a reference to another file is what that file has: it needs no second name. */
function takeIn(bundling: Bundling): void {
  const { document, files, known, bases } = bundling;
  const taken: (() => void)[] = [];
  for (const [kind, section] of Object.entries(SECTIONS)) {
    const components = valueIn(document, ['components', section]);
    if (!isHolder(components)) continue;
    for (const [name, value] of Object.entries(components)) {
      const reference = referenceIn(value);
      if (!isObject(value) || reference === undefined || Object.keys(value).length > 1) continue;
      if (name === '__proto__') continue;
      try {
        const place = ['components', section, name];
        const from = { file: bases.get(value) ?? '', pointer: writtenAt(bundling, place).pointer };
        const target = files.targetOf(reference, from);
        const { file, pointer } = target;
        const id = idOf([section, file, ...pointer]);
        if (file === '' || known.has(id)) continue;
        const found = valueIn(files.sourceOf(file).data, pointer);
        if (!isHolder(found) || REFERENCE in found) continue;
        known.set(id, componentReference(section, name));
        components[name] = found;
        noteOrigin(bundling, place, target);
        taken.push(() => mendAt(bundling, kind as Kind, place, file));
      } catch {
        // `mend` reports it.
      }
    }
  }
  for (const mendTaken of taken) mendTaken();
}

function leaveOutCircles(bundling: Bundling): void {
  const { document, problems } = bundling;
  for (const { value, pointer } of walk(document).references) {
    if (referenceIn(follow(document, value)[0]) === undefined) continue;
    const message = `the reference leads back to itself (${referenceIn(value)}): write the value at one of its places`;
    problems.push(problemOf(bundling, pointer, message));
    leaveOut(bundling, value);
  }
}
