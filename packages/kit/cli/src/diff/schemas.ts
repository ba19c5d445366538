import { isDeepStrictEqual } from 'node:util';
import { ELSEWHERE, referenceIn } from '@contract-kit/core/model';
import {
  changeOf,
  child,
  differing,
  modification,
  resolved,
  type Change,
  type ComparedContract,
  type Impact,
  type Pair,
  type Part,
} from './change.ts';
import {
  ALSO_WRITTEN,
  constraintsOf,
  isIrrelevant,
  isAnotherType,
  relationOf,
  withoutNull,
  type Relation,
} from './constraints.ts';
import { anything, OTHERS, shapeOf, type Schema, type Shape } from './shape.ts';

/** Clients write requests and read responses: requests may become wider, responses narrower. */
export type Direction = 'request' | 'response';

const MEANING: Record<Direction, Record<Relation, readonly [Impact, string]>> = {
  request: {
    narrower: ['major', 'requests that were valid are rejected'],
    wider: ['minor', 'more requests are valid'],
    other: ['major', 'requests that were valid may be rejected'],
  },
  response: {
    narrower: ['minor', 'clients get only what they got before'],
    wider: ['major', 'clients may get what they never got before'],
    other: ['major', 'clients may get something else than before'],
  },
};

function meaningIn(direction: Direction) {
  return (part: Part, relation: Relation, what: string): Change => {
    const [impact, meaning] = MEANING[direction][relation];
    return changeOf(part, impact, `${what}: ${meaning}`);
  };
}

/** The keyword of a property of the other direction. */
const HIDDEN = { request: ELSEWHERE.sent, response: ELSEWHERE.response } as const;

/** The role of a schema. A branch is one of several alternatives. */
export type Role = 'value' | 'parameter' | 'branch';

const OPEN_LIST = 'x-extensible-enum';

/**
 * What the change of a schema means for senders or readers of its values. Compares each pair of schemas once in each
 * direction, one level at a time: types and constraints, then children by name.
 */
export function* compareSchemas(
  pair: Pair,
  direction: Direction,
  from: Schema,
  to: Schema,
  role: Role = 'value',
): Iterable<Change> {
  const [before, after] = [shapeOf(from), shapeOf(to)];
  const written = ({ parts }: Shape) => parts.map(({ pointer }) => pointer.join('/')).join('&');
  const id = [direction, role, written(before), written(after)].join(' ');
  if (pair.compared.has(id)) return;
  pair.compared.add(id);
  const meant = meaningIn(direction);
  // If both refer to the same component, the component has changed; else the reference.
  const isSameComponent = referenceIn(from[0].value) === referenceIn(to[0].value);
  const [wasAt, isAt] = isSameComponent ? [resolved(from[0]), resolved(to[0])] : [from[0], to[0]];
  // A branch that may be null makes the whole nullable, and is compared there.
  if (role !== 'branch' && before.isNullable !== after.isNullable)
    yield meant(isAt, ...nullability(after.isNullable));
  if (before.branches ?? after.branches) {
    yield* compareBranches(pair, direction, [from, before], [to, after]);
    if (!before.branches || !after.branches) return;
  }
  const [types, newTypes] = [withoutNull(before.keywords), withoutNull(after.keywords)];
  if (isAnotherType(types, newTypes)) {
    const relation = newTypes ? (types ? 'other' : 'narrower') : 'wider';
    const what = modification('type', types?.join(' or '), newTypes?.join(' or '));
    yield meant(newTypes ? isAt : wasAt, relation, what);
    return;
  }
  yield* compareKeywords(pair, direction, before, after, role);
  for (const way of new Set([before, after].flatMap(waysOf))) {
    if (way.startsWith('.')) {
      yield* compareProperty(pair, direction, before, after, way);
      continue;
    }
    // Whether other fields are allowed is a change of additionalProperties.
    const isClosed = [before, after].some(({ keywords }) =>
      KEYWORDS[way]?.some((keyword) => keywords[keyword] === false),
    );
    if (isClosed && direction === 'request') continue;
    const of = ({ children }: Shape, at: Part): Schema => children.get(way) ?? [anything(at, way)];
    yield* compareSchemas(pair, direction, of(before, wasAt), of(after, isAt));
  }
}

/** The children of a value, with the properties that are only required. */
const waysOf = ({ children, required }: Shape) => [...children.keys(), ...required.map((name) => `.${name}`)];

const KEYWORDS: Readonly<Record<string, readonly string[]>> = { '[]': ['items'], '{}': OTHERS };

function nullability(isNullable: boolean): [Relation, string] {
  return isNullable ? ['wider', 'may be null'] : ['narrower', 'may no longer be null'];
}

/** The change of a keyword, at the part of the schema that has it. */
function changeOfKeyword(before: Shape, after: Shape, name: string, impact: Impact, what: string): Change {
  for (const part of [...after.parts, ...before.parts])
    for (const keyword of [name, ...(ALSO_WRITTEN[name] ?? [])])
      if (child(part, [keyword]).value !== undefined) return changeOf(part, impact, what, [keyword]);
  return changeOf(after.parts[0], impact, what);
}

function* compareKeywords(pair: Pair, direction: Direction, before: Shape, after: Shape, role: Role) {
  const [from, to] = [constraintsOf(before.keywords), constraintsOf(after.keywords)];
  for (const name of differing(from, to)) {
    if (['example', 'examples', OPEN_LIST].includes(name)) continue;
    const change = (impact: Impact, meaning = '') => {
      const what =
        name === 'enum' ? changeOfValues(from.enum, to.enum) : modification(name, from[name], to[name]);
      return changeOfKeyword(before, after, name, impact, what + meaning);
    };
    if (isIrrelevant(name, direction)) {
      yield change(name === 'deprecated' ? 'minor' : 'patch');
    } else if (name === 'default') {
      // A parameter without a default had a meaning when it was left out: the new default replaces it.
      const isMinor = from[name] === undefined && role !== 'parameter';
      yield change(isMinor ? 'minor' : 'major', ': requests without it mean something else');
    } else {
      const relation = relationOf(name, from[name], to[name]);
      if (!relation) continue;
      const [impact, meaning] = MEANING[direction][relation];
      yield change(impact, `: ${meaning}`);
    }
  }
  yield* compareOpenList(pair, before, after);
}

type Values = readonly unknown[];

function changeOfValues(from: Values | undefined, to: Values | undefined): string {
  if (!from || !to) return modification('enum', from, to);
  const [lost, gained] = [
    from.filter((value) => !to.includes(value)),
    to.filter((value) => !from.includes(value)),
  ];
  const words = [
    gained.length > 0 && `gets the value ${gained.join(', ')}`,
    lost.length > 0 && `loses the value ${lost.join(', ')}`,
  ];
  return words.filter(Boolean).join(' and ');
}

/** Clients must expect new values of an open list, and may rely on the old ones. */
function* compareOpenList(pair: Pair, before: Shape, after: Shape): Iterable<Change> {
  const listed = before.keywords[OPEN_LIST];
  const to = after.keywords[OPEN_LIST] ?? after.keywords.enum ?? [];
  const change = (impact: Impact, what: string) => changeOfKeyword(before, after, OPEN_LIST, impact, what);
  if (!listed) {
    if (after.keywords[OPEN_LIST]) yield change('patch', 'lists values that it may have');
    return;
  }
  // The list of all error codes changes with the codes, which are compared themselves.
  const isOfCodes = (list: Values, { document }: ComparedContract) =>
    isDeepStrictEqual(list, Object.keys(document['x-error-codes'] ?? {}));
  if (isOfCodes(listed, pair.base) && isOfCodes(to, pair.revision)) return;
  yield* compareValues(listed, to, change, 'value');
}

/** Clients may rely on the values of a list, and must expect new ones. */
export function* compareValues(
  before: Values,
  after: Values,
  change: (impact: Impact, what: string) => Change,
  called: string,
): Iterable<Change> {
  for (const value of before.filter((value) => !after.includes(value)))
    yield change('major', `loses the ${called} ${String(value)}`);
  for (const value of after.filter((value) => !before.includes(value)))
    yield change('minor', `gets the new ${called} ${String(value)}`);
}

/** A property without a schema has that of `additionalProperties`. */
function* compareProperty(pair: Pair, direction: Direction, before: Shape, after: Shape, way: string) {
  const [namedBefore, namedAfter] = [before.children.get(way), after.children.get(way)];
  const [part] = namedAfter ?? namedBefore ?? [anything(after.parts[0], way)];
  const isHidden = (schema: Schema) =>
    shapeOf(schema).parts.some((part) => child(part, [HIDDEN[direction]]).value);
  const visible = (named: Schema | undefined, { children }: Shape) =>
    named ? (isHidden(named) ? undefined : named) : children.get('{}');
  const [schemaBefore, schemaAfter] = [visible(namedBefore, before), visible(namedAfter, after)];
  const wasRequired = isRequiredIn(before, direction, way);
  const isRequired = isRequiredIn(after, direction, way);
  if (!namedBefore && !namedAfter) {
    yield* comparePresence(direction, part, wasRequired, isRequired);
  } else if (schemaBefore && schemaAfter) {
    const isNamed = namedAfter ? 'is named now, and was' : 'is no longer named, and is';
    if (!namedBefore || !namedAfter)
      yield changeOf(part, 'patch', `${isNamed} one of the additional properties`);
    yield* comparePresence(direction, part, wasRequired, isRequired);
    yield* compareSchemas(pair, direction, schemaBefore, schemaAfter);
  } else if (schemaBefore) {
    const gone = direction === 'request' ? 'may no longer be sent' : 'is no longer in responses';
    yield changeOf(part, 'major', namedAfter ? `is now ${HIDDEN[direction]}: it ${gone}` : gone);
  } else if (schemaAfter) {
    if (direction === 'response') yield changeOf(part, 'minor', 'is new in responses');
    else yield newInput(part, isRequired);
  }
}

/** A required field with a default may be left out of a request. */
function isRequiredIn({ children, required }: Shape, direction: Direction, way: string): boolean {
  const schema = children.get(way);
  const hasDefault = direction === 'request' && schema && 'default' in shapeOf(schema).keywords;
  return required.includes(way.slice(1)) && !hasDefault;
}

/** Something may be sent that could not be sent before. */
export function newInput(part: Part, isRequired: boolean, where = ''): Change {
  return isRequired
    ? changeOf(part, 'major', `is new and required${where}: requests without it are rejected`)
    : changeOf(part, 'minor', `is new and optional${where}`);
}

/** Something was required and is now optional, or the other way round. */
export function* comparePresence(direction: Direction, part: Part, before: boolean, after: boolean) {
  if (before === after) return;
  if (direction === 'request')
    yield after
      ? changeOf(part, 'major', 'is now required: requests without it are rejected')
      : changeOf(part, 'minor', 'is now optional');
  else
    yield after
      ? changeOf(part, 'minor', 'is now always present')
      : changeOf(part, 'major', 'may now be missing: clients rely on it');
}

/** Two alternatives match if they say the same, or else if they refer to one component or have the same type. */
const SAME_BRANCH: readonly ((from: Schema, to: Schema) => boolean)[] = [
  (from, to) => isDeepStrictEqual(contentOf(from), contentOf(to)),
  (from, to) =>
    refOf(from) && refOf(to) ? refOf(from) === refOf(to) : isDeepStrictEqual(typesIn(from), typesIn(to)),
];

const refOf = ([{ value }, ...others]: Schema): string | undefined =>
  others.length === 0 ? referenceIn(value) : undefined;
const contentOf = (schema: Schema) => schema.map((part) => resolved(part).value);
const typesIn = (schema: Schema) => withoutNull(shapeOf(schema).keywords);

/** Each branch with the one that it became. A branch that says the same is taken first. */
function matchedBranches(before: readonly Schema[], after: readonly Schema[]) {
  const pairs = new Map<Schema, Schema>();
  const taken = new Set<Schema>();
  for (const isSame of SAME_BRANCH) {
    for (const branch of before.filter((value) => !pairs.has(value))) {
      const match = after.find((value) => !taken.has(value) && isSame(branch, value));
      if (!match) continue;
      pairs.set(branch, match);
      taken.add(match);
    }
  }
  const lost = before.filter((branch) => !pairs.has(branch));
  return { pairs, lost, gained: after.filter((branch) => !taken.has(branch)) };
}

/** A schema without alternatives counts as its only one, so that new ones are found. */
function* compareBranches(
  pair: Pair,
  direction: Direction,
  [from, before]: readonly [Schema, Shape],
  [to, after]: readonly [Schema, Shape],
): Iterable<Change> {
  const [wasAt, isAt] = [resolved(from[0]), resolved(to[0])];
  const meant = meaningIn(direction);
  if (before.union && after.union && before.union.keyword !== after.union.keyword) {
    const relation = after.union.isExclusive ? 'narrower' : 'wider';
    yield meant(isAt, relation, `has ${after.union.keyword} instead of ${before.union.keyword}`);
  }
  const { pairs, lost, gained } = matchedBranches(before.branches ?? [from], after.branches ?? [to]);
  for (const [branch, match] of pairs) yield* compareSchemas(pair, direction, branch, match, 'branch');
  const branchName = (branch: Schema) =>
    refOf(branch)?.split('/').at(-1) ?? typesIn(branch)?.join(' or ') ?? 'any';
  for (const branch of lost) yield meant(wasAt, 'narrower', `loses the alternative ${branchName(branch)}`);
  for (const branch of gained) yield meant(isAt, 'wider', `gets the alternative ${branchName(branch)}`);
}
