import { isDeepStrictEqual } from 'node:util';
import { isObject, pointerTo, resolve, type JsonObject, type Pointer } from '@contract-kit/core/json';
import { dereferenced, follow, referenceIn, type Operation } from '@contract-kit/core/model';
import type { Problem, SourceDocument } from '@contract-kit/core/openapi';

/** The part of the version that a change must raise, the most severe first. */
export const IMPACTS = ['major', 'minor', 'patch'] as const;
export type Impact = (typeof IMPACTS)[number];

/** One difference between two contracts, and what it means to callers of the API. */
export interface Change {
  readonly impact: Impact;
  /** The changed part, such as `GET /loans` or `plan free`. */
  readonly subject: string;
  readonly what: string;
  readonly place: Place;
  /** Repeated after the list of changes, because it must not be overlooked. */
  readonly alarm?: true;
}

/** In the new contract, or in the released one for what was removed. */
export interface Place extends Pick<Problem, 'line' | 'column' | 'file'> {
  readonly side: Side;
}

export type Side = 'base' | 'revision';

/** One of two contracts that are compared. What it holds is unknown until it is looked at. */
export interface ComparedContract extends SourceDocument {
  readonly document: JsonObject;
  resolve(value: unknown): unknown;
  valueAt(pointer: Pointer): unknown;
}

export interface Pair {
  readonly base: ComparedContract;
  readonly revision: ComparedContract;
  /** As YYYY-MM-DD: decides which sunsets have passed. */
  readonly today: string;
  /** The compared pairs of schemas: schemas are shared, and may be recursive. */
  readonly compared: Set<string>;
}

/** Where `pointer` leads in one of the two contracts, or the nearest place above. */
export function placeOf(pair: Pair, side: Side, pointer: Pointer): Place {
  return { side, ...pair[side].problemAt(pointer, '') };
}

/** A part of one of the two contracts, and where it is written. */
export interface Part {
  readonly contract: ComparedContract;
  readonly side: Side;
  readonly pointer: Pointer;
  readonly value: unknown;
  /** Its name in messages: an operation or a component, then a path such as `.name` or `[]`. */
  readonly owner: string;
  readonly way: string;
}

/** An operation that both contracts have, and the part that describes it in each. */
export interface SharedOperation {
  readonly pair: Pair;
  readonly before: Operation;
  readonly after: Operation;
  readonly from: Part;
  readonly to: Part;
}

/** The part at `pointer`, which may lead through references. */
export function partAt(pair: Pair, side: Side, pointer: Pointer, owner: string): Part {
  const contract = pair[side];
  const written = [...dereferenced(contract.document, pointer.slice(0, -1)), ...pointer.slice(-1)];
  const value = resolve(contract.document, pointerTo(written));
  return { contract, side, pointer: written, value, owner, way: '' };
}

/** The value of `part` at `steps`; messages append `way` to its name. */
export function child(part: Part, steps: Pointer, way = ''): Part {
  const value = resolve(part.value, pointerTo(steps));
  return { ...part, value, pointer: [...part.pointer, ...steps], way: part.way + way };
}

/** The entries of the object `field` of `part` by their names. With `called`, messages name each. */
export function entriesOf(part: Part, field: string, called?: string): Map<string, Part> {
  const names = Object.keys(child(part, [field]).value ?? {});
  return new Map(
    names.map((name) => {
      const entry = child(part, [field, name]);
      return [name, called === undefined ? entry : { ...entry, owner: `${part.owner}, ${called} ${name}` }];
    }),
  );
}

/** The servers that a contract lists. */
export function serversIn({ document }: ComparedContract): JsonObject[] {
  return [document['servers'] ?? []].flat().filter(isObject);
}

const COMPONENTS: Record<string, string> = {
  headers: 'response header ',
  parameters: 'parameter ',
  requestBodies: 'request body ',
  responses: 'response ',
};

/** The component that `part` refers to, or `part` itself. */
export function resolved(part: Part): Part {
  if (referenceIn(part.value) === undefined) return part;
  const [value, pointer] = follow(part.contract.document, part.value);
  const [, kind = '', name = '', ...rest] = pointer;
  const way = rest.filter((step) => step !== 'properties').map((step) => `.${step}`);
  const owner = `${COMPONENTS[kind] ?? ''}${name}`;
  return { ...part, pointer, value, owner, way: way.join('') };
}

/** A change of `part`, or of the keyword at `steps` below it. */
export function changeOf(part: Part, impact: Impact, what: string, steps: Pointer = []): Change {
  const { contract, side, owner, way } = part;
  const place = { side, ...contract.problemWrittenAt([...part.pointer, ...steps], '') };
  // The name of an operation is followed by a comma.
  const subject = owner.includes('/') ? owner + way.replace(/^\./, ', ') : owner + way;
  return { impact, subject, what, place };
}

/** Something that both contracts have under one name, or that only one of them has. */
type Match<Thing> = { readonly name: string } & (
  | { readonly before: Thing; readonly after: Thing }
  | { readonly before: Thing; readonly after: undefined }
  | { readonly before: undefined; readonly after: Thing }
);

/** Everything of the first map, then what only the second has. */
export function matched<Thing>(before: ReadonlyMap<string, Thing>, after: ReadonlyMap<string, Thing>) {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.map((name) => ({ name, before: before.get(name), after: after.get(name) }) as Match<Thing>);
}

/** The named entries of an object at `pointer`, such as the plans, matched between both contracts. */
export function matchedEntries(pair: Pair, pointer: Pointer, owner: string): Match<Part>[] {
  const entries = (side: Side) => {
    const names = Object.keys(pair[side].valueAt(pointer) ?? {});
    return new Map(names.map((name) => [name, partAt(pair, side, [...pointer, name], `${owner}${name}`)]));
  };
  return matched(entries('base'), entries('revision'));
}

/** Two operations match if a request for one is a request for the other: names of path parameters may differ. */
export function matchedOperations({ base, revision }: Pair): Match<Operation>[] {
  const byRoute = (contract: SourceDocument) =>
    new Map(
      contract.model.operations.map((operation) => [
        `${operation.method} ${operation.path.replaceAll(/\{[^}]*\}/g, '{}')}`,
        operation,
      ]),
    );
  return matched(byRoute(base), byRoute(revision));
}

/** Whether the operation was released as deprecated, and its sunset date has passed. */
export function isPastSunset({ definition }: Operation, today: string): boolean {
  const { deprecated, 'x-deprecated-sunset': sunset } = definition;
  return deprecated === true && sunset !== undefined && sunset <= today;
}

/** The names in `before` or `after` whose values differ. */
export function differing(before: unknown, after: unknown): string[] {
  return differences(before, after).map(({ name }) => name);
}

function differences(before: unknown, after: unknown): Match<unknown>[] {
  const fields = (value: unknown) => new Map<string, unknown>(Object.entries(value ?? {}));
  return matched(fields(before), fields(after)).filter(
    (field) => !isDeepStrictEqual(field.before, field.after),
  );
}

/** Changes of descriptive keys: all but examples and those `compared` elsewhere. */
export function* describingChanges(before: Part, after: Part, compared: readonly string[]): Iterable<Change> {
  for (const { name, before: was, after: is } of differences(before.value, after.value)) {
    if ([...compared, 'example', 'examples'].includes(name)) continue;
    const what = modification(name, was, is);
    const part = is === undefined ? before : after;
    yield changeOf(part, name === 'deprecated' ? 'minor' : 'patch', what, [name]);
  }
}

/** A change of a name that is also one in the client. */
export function renamed(part: Part, before: string, after: string): Change {
  return changeOf(
    part,
    'major',
    `is now called ${after}, and was ${before}: code that uses the client names it`,
  );
}

/** Long values are left out, so that a change fits in one line. */
export function modification(name: string, before: unknown, after: unknown): string {
  const [from, to] = [before, after].map(shown);
  if (before === undefined) return to === undefined ? `gets ${name}` : `gets ${name}: ${to}`;
  if (after === undefined) return from === undefined ? `loses ${name}` : `loses ${name}: ${from}`;
  return from === undefined || to === undefined ? `${name} changes` : `${name} changes from ${from} to ${to}`;
}

function shown(value: unknown): string | undefined {
  const text = JSON.stringify(value);
  return text !== undefined && text.length <= 40 ? text : undefined;
}
