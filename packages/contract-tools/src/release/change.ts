import { dereferenced, type Contract, type Json, type Pointer } from '../contract.ts';
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
  /** Requests and replies stay what they were: it concerns the users of the client package alone. */
  readonly ofClient?: true;
}

/** Where a change shows: in the contract as it is now, or, for what is gone, in the released one. */
export interface Place {
  readonly side: 'base' | 'revision';
  /** The contract, where it is not said. */
  readonly file?: string;
  readonly line: number;
  readonly column: number;
}

export interface Pair {
  readonly base: Contract;
  readonly revision: Contract;
  /** As YYYY-MM-DD: says which sunsets have come. */
  readonly today: string;
  /** The schemas of both that were compared, in either direction: they are shared, and may recur. */
  readonly compared: Set<string>;
}

/** One way in which two contracts are compared. */
export type Comparison = (pair: Pair) => Iterable<Change>;

/** The place in `pair[side]` that `pointer` leads to. */
export function placeOf(pair: Pair, side: Place['side'], pointer: Pointer): Place {
  const { line, column } = pair[side].problemAt(pointer, '');
  return { side, line, column };
}

/** The change at `pointer`, whose subject is the component or the part of an operation that it is written in. */
export function changeAt(
  pair: Pair,
  side: Place['side'],
  pointer: Pointer,
  impact: Impact,
  what: string,
): Change {
  return changeWrittenAt(pair, side, dereferenced(pair[side].document, pointer), impact, what);
}

/** What comes or goes at `pointer`: a component that it only refers to stays what it is, for all others who do. */
export function presenceAt(...[pair, side, pointer, ...rest]: Parameters<typeof changeAt>): Change {
  const owner = dereferenced(pair[side].document, pointer.slice(0, -1));
  return changeWrittenAt(pair, side, [...owner, ...pointer.slice(-1)], ...rest);
}

function changeWrittenAt(...[pair, side, written, impact, what]: Parameters<typeof changeAt>): Change {
  const { line, column } = pair[side].problemWrittenAt(written, '');
  return { impact, subject: subjectOf(pair[side], written), what, place: { side, line, column } };
}

const COMPONENTS: Record<string, string> = {
  headers: 'response header ',
  parameters: 'parameter ',
  requestBodies: 'request body ',
  responses: 'response ',
  schemas: '',
};

function subjectOf(contract: Contract, written: Pointer): string {
  const { document } = contract;
  const [root, first = '', second = '', ...rest] = underItsPath(document, written);
  const isSaid = typeof valueAt(document, written) === 'boolean';
  const fields = fieldsIn(isSaid ? rest.slice(0, -1) : rest);
  if (root === 'components') return `${COMPONENTS[first] ?? ''}${second}${fields}`;
  const parts = [second === 'parameters' ? first : `${second.toUpperCase()} ${first}`];
  const list = second === 'parameters' ? 2 : rest[0] === 'parameters' ? 3 : 0;
  if (list > 0)
    parts.push(`parameter ${contract.at([root, first, second, ...rest].slice(0, list + 2))?.name}`);
  if (rest[0] === 'requestBody') parts.push('body');
  if (rest[0] === 'responses') parts.push(`response ${rest[1]}`);
  if (rest[2] === 'headers') parts.push(`header ${rest[3]}`);
  return `${parts.filter(Boolean).join(', ')}${fields.replace(/^\./, ', ')}`;
}

/** `written`, where it is in a path item that a path refers to, as if it were written at the path. */
function underItsPath({ paths }: Json, written: Pointer): [string, ...string[]] {
  const [root = '', kind, item, ...rest] = written.map(String);
  if (kind !== 'pathItems') return written.map(String) as [string, ...string[]];
  const path = Object.keys(paths).find((each) => paths[each].$ref === `#/${root}/${kind}/${item}`);
  return ['paths', String(path), ...rest];
}

/** The way through a schema: `.name` to a property, `[]` to the items of an array, `.*` to the values of a map. */
function fieldsIn([step, ...rest]: readonly string[]): string {
  const [name] = rest;
  if (step === undefined) return '';
  if (step === 'properties') return name === undefined ? '' : `.${name}${fieldsIn(rest.slice(1))}`;
  return `${{ items: '[]', additionalProperties: '.*' }[step] ?? ''}${fieldsIn(rest)}`;
}

/** What `pointer`, which leads through no reference, leads to. */
export function valueAt(document: Json, pointer: Pointer): Json {
  return pointer.reduce((node: Json, step) => node?.[step], document);
}

/** Two operations are the same one if a request for the one is a request for the other. */
function routeOf({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`;
}

/** Something that both contracts have by one name, or that one of them has alone. */
type Match<Thing> = { readonly name: string } & (
  | { readonly before: Thing; readonly after: Thing }
  | { readonly before: Thing; readonly after: undefined }
  | { readonly before: undefined; readonly after: Thing }
);

/** What two contracts have by name: all of the first, and then what only the second has. */
export function matched<Thing>(
  before: ReadonlyMap<string, Thing>,
  after: ReadonlyMap<string, Thing>,
): Match<Thing>[] {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.map((name) => ({ name, before: before.get(name), after: after.get(name) }) as Match<Thing>);
}

/** The entries of an object that may be missing. */
export function entriesOf(value: Json): Map<string, Json> {
  return new Map(Object.entries<Json>(value ?? {}));
}

/** The same of what is found in each contract. */
export function matchedIn<Thing>(
  { base, revision }: Pair,
  thingsIn: (contract: Contract) => ReadonlyMap<string, Thing>,
): Match<Thing>[] {
  return matched(thingsIn(base), thingsIn(revision));
}

function matchedOperations(pair: Pair): Match<Operation>[] {
  return matchedIn(pair, (contract) => new Map(operationsOf(contract).map((each) => [routeOf(each), each])));
}

/** The operations that both contracts have. */
export function sharedOperations(pair: Pair): { before: Operation; after: Operation }[] {
  return matchedOperations(pair).flatMap(({ before, after }) => (before && after ? { before, after } : []));
}

/** The operations that only one of the contracts has. */
export function operationsOnlyIn(side: Place['side'], pair: Pair): Operation[] {
  return matchedOperations(pair).flatMap(({ before, after }) =>
    before && after ? [] : ((side === 'base' ? before : after) ?? []),
  );
}

/** Whether `operation` was announced to go, and its day has come. */
export function isPastSunset({ definition }: Operation, today: string): boolean {
  return definition.deprecated === true && definition['x-deprecated-sunset'] <= today;
}
