import type { Contract, Pointer } from '../contract.ts';
import { operationsOf, type Operation } from '../operations.ts';

/** The part of the version that a change makes rise, the gravest first. */
export const IMPACTS = ['major', 'minor', 'patch'] as const;
export type Impact = (typeof IMPACTS)[number];

/** One difference between two contracts, as it matters to who calls the API. */
export interface Change {
  readonly impact: Impact;
  /** What it concerns, such as `GET /store/orders` or `plan free`. */
  readonly subject: string;
  readonly what: string;
  readonly place: Place;
  /** Said once more after all changes: nobody may overlook it. */
  readonly alarm?: true;
}

/** Where a change shows: in the contract as it is now, or, for what is gone, in the released one. */
export interface Place {
  readonly side: 'base' | 'revision';
  readonly line: number;
  readonly column: number;
}

export interface Pair {
  readonly base: Contract;
  readonly revision: Contract;
}

/** One way in which two contracts are compared. */
export type Comparison = (pair: Pair) => Iterable<Change>;

/** The place in `pair[side]` that `pointer` leads to. */
export function placeOf(pair: Pair, side: Place['side'], pointer: Pointer): Place {
  const { line, column } = pair[side].problemAt(pointer, '');
  return { side, line, column };
}

/** Two operations are the same one if a request for the one is a request for the other. */
export function routeOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`;
}

export function nameOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${path}`;
}

/** The operations that both contracts have. */
export function sharedOperations({ base, revision }: Pair): { before: Operation; after: Operation }[] {
  const present = new Map(operationsOf(revision).map((operation) => [routeOf(operation), operation]));
  return operationsOf(base).flatMap((before) => {
    const after = present.get(routeOf(before));
    return after ? [{ before, after }] : [];
  });
}
