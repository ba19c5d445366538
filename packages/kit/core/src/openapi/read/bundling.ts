import type { JsonObject } from '../../json/index.ts';
import { REFERENCE } from '../../model/index.ts';
import { ContractError, type Pointer, type Problem } from '../problem.ts';
import type { Files, Origin } from './files.ts';

/** What the steps of `bundle` share: the document that they change, and what they know of it. */
export interface Bundling {
  readonly document: JsonObject;
  readonly files: Files;
  readonly problems: Problem[];
  readonly remarks: Problem[];
  /** By the pointers of what was written elsewhere. */
  readonly origins: Map<string, Origin>;
  readonly leftOut: Set<object>;
  /** References to components, by the section and the place that each has its value from. */
  readonly known: Map<string, string>;
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
    known: new Map(),
    bases: new Map(),
    mended: new Set(),
    followedBy: new Set(),
    size: 0,
  };
}

export const idOf = (steps: Pointer): string => steps.join('\n');

/** Where the place in the bundled document was written. */
export function writtenAt({ origins }: Bundling, pointer: Pointer): Origin {
  for (let length = pointer.length; length > 0; length -= 1) {
    const origin = origins.get(idOf(pointer.slice(0, length)));
    if (origin) return { file: origin.file, pointer: [...origin.pointer, ...pointer.slice(length)] };
  }
  return { file: '', pointer };
}

/** The problem of a reference at `pointer`, where it was written. */
export function problemOf(bundling: Bundling, pointer: Pointer, message: string): Problem {
  const place = writtenAt(bundling, [...pointer, REFERENCE]);
  return { ...bundling.files.sourceOf(place.file).at(place.pointer, message), pointer };
}

export function reportUnfollowed(
  bundling: Bundling,
  reference: string,
  pointer: Pointer,
  error: unknown,
): void {
  const reason = error instanceof Error ? error.message : String(error);
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
