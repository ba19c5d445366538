import type { JsonObject } from '../../json/index.ts';
import { REFERENCE } from '../../model/index.ts';
import { ContractError, problemLine, type Pointer, type Problem } from '../problem.ts';
import type { Files } from './files.ts';
import { idOf, type Origin } from './origin.ts';
import type { Inclusion } from './walk.ts';

/** What the steps of `bundle` share: the document that they change, and what they know of it. */
export interface Bundling {
  readonly document: JsonObject;
  readonly files: Files;
  readonly problems: Problem[];
  readonly remarks: Problem[];
  /** By the pointers of what was written elsewhere. */
  readonly origins: Map<string, Origin>;
  readonly leftOut: Set<object>;
  /** The places of documentation that is left out. */
  readonly unshown: Pointer[];
  /** References to components, by the section and the place that each has its value from. */
  readonly known: Map<string, string>;
  /** The names that authors gave to components, by section and by the names that these have here. */
  readonly named: Map<string, string>;
  /** The names that components of the contract will have, by section and by the names that OpenAPI does not allow. */
  readonly plain: Map<string, string>;
  /** The files of references that were copied from there. */
  readonly bases: Map<object, string>;
  /** References and discriminators that mean what they mean in the bundled document. */
  readonly mended: Set<object>;
  /** What is being followed: references may form a circle. */
  readonly followedBy: Set<string>;
  /** The number of copied objects. */
  size: number;
}

export function startBundling(document: JsonObject, files: Files): Bundling {
  return {
    document,
    files,
    problems: [],
    remarks: [],
    origins: new Map(),
    leftOut: new Set(),
    unshown: [],
    known: new Map(),
    named: new Map(),
    plain: new Map(),
    bases: new Map(),
    mended: new Set(),
    followedBy: new Set(),
    size: 0,
  };
}

/** Where the place in the bundled document was written. */
export function writtenAt({ origins, named }: Pick<Bundling, 'origins' | 'named'>, pointer: Pointer): Origin {
  if (origins.size > 0)
    for (let length = pointer.length; length > 0; length -= 1) {
      const origin = origins.get(idOf(pointer.slice(0, length)));
      if (origin) return { file: origin.file, pointer: [...origin.pointer, ...pointer.slice(length)] };
    }
  const [root, section, name, ...below] = pointer;
  const author = named.get(idOf([String(section), String(name)]));
  if (root !== 'components' || author === undefined) return { file: '', pointer };
  return writtenAt({ origins, named: new Map() }, [root, String(section), author, ...below]);
}

/** Notes that what is at `pointer` of the bundled document was written at `target`. */
export function noteOrigin(bundling: Bundling, pointer: Pointer, target: Origin): void {
  const { file, pointer: written } = target.file === '' ? writtenAt(bundling, target.pointer) : target;
  bundling.origins.set(idOf(pointer), { file, pointer: written });
}

/** The problem of a reference at `pointer`, where it was written. */
export function problemOf(bundling: Bundling, pointer: Pointer, message: string): Problem {
  const place = writtenAt(bundling, [...pointer, REFERENCE]);
  return { ...bundling.files.sourceOf(place.file).at(place.pointer, message), pointer };
}

/** Reports a reference that cannot be followed: documentation is left out. */
export function reportUnfollowed(
  bundling: Bundling,
  { pointer, isShown }: Pick<Inclusion, 'pointer' | 'isShown'>,
  reference: string,
  error: unknown,
): void {
  const [first] = error instanceof ContractError ? error.problems : [];
  const reason = first ? problemLine(first) : error instanceof Error ? error.message : String(error);
  if (isShown) {
    const message = `what the reference leads to is left out, because it cannot be followed (${reference}): ${reason}`;
    bundling.remarks.push(problemOf(bundling, pointer, message));
    bundling.unshown.push(pointer);
    return;
  }
  // The mistakes of a file that is not YAML have their places in it.
  bundling.problems.push(
    ...(error instanceof ContractError
      ? error.problems
      : [problemOf(bundling, pointer, `the reference cannot be followed (${reference}): ${reason}`)]),
  );
}

/** Empties invalid parts, so that the rest can be checked; the contract is rejected anyway. */
export function leaveOut({ leftOut }: Bundling, value: JsonObject): void {
  for (const name of Object.keys(value)) delete value[name];
  leftOut.add(value);
}
