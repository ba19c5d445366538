import { isDeepStrictEqual } from 'node:util';
import { dereferenced, type Contract, type Json } from '../../contract.ts';
import { changeAt, presenceAt, type Change, type Impact, type Pair } from '../change.ts';
import { CONSTRAINTS, isAnnotation, isAnotherType, withoutNull, type Relation } from './constraints.ts';
import { partsOf, shapeOf, type Shape } from './shape.ts';
import { changeOf, compareWords, differing, modification, type Both, type Located } from './words.ts';

/** Requests are made by callers and replies are read by them: what the one may widen, the other may not. */
export type Direction = 'request' | 'reply';

const MEANING: Record<Direction, Record<Relation, readonly [Impact, string]>> = {
  request: {
    narrower: ['major', 'takes less than before'],
    wider: ['minor', 'takes more than before'],
    other: ['major', 'takes something else than before'],
  },
  reply: {
    narrower: ['minor', 'promises more than before'],
    wider: ['major', 'promises less than before'],
    other: ['major', 'promises something else than before'],
  },
};

/** What a property that only goes one way is called, and hides from the other. */
const HIDDEN = { request: 'readOnly', reply: 'writeOnly' } as const;

const OPEN_LIST = 'x-extensible-enum';

/** What the change of a schema means to who sends or reads its values. References and `allOf` mean nothing by themselves. */
export function* compareSchemas(
  pair: Pair,
  direction: Direction,
  both: Both,
  isBranch = false,
): Iterable<Change> {
  const before = shapeOf(pair.base, both.before);
  const after = shapeOf(pair.revision, both.after);
  const isSame = both.before.value?.$ref === both.after.value?.$ref;
  const tell = isSame ? changeAt : presenceAt;
  // A branch that may be null makes the whole nullable, and there it is compared.
  if (!isBranch && before.isNullable !== after.isNullable) {
    const what = after.isNullable ? 'may be null' : 'may no longer be null';
    const [impact, meaning] = MEANING[direction][after.isNullable ? 'wider' : 'narrower'];
    yield tell(pair, 'revision', both.after.pointer, impact, `${what}: ${meaning}`);
  }
  const written = (side: 'base' | 'revision', located: Located) =>
    (located.parts ?? [located])
      .map(({ pointer }) => dereferenced(pair[side].document, pointer).join('/'))
      .join('&');
  const id = [direction, written('base', both.before), written('revision', both.after)].join(' ');
  if (pair.compared.has(id)) return;
  pair.compared.add(id);
  if (before.branches || after.branches) {
    yield* compareBranches(pair, direction, both, before, after);
    if (!before.branches || !after.branches) return;
  }
  const whole = wholes(before, after, both);
  if (isAnotherType(before.keywords, after.keywords)) {
    const [from, to] = [withoutNull(before.keywords), withoutNull(after.keywords)];
    const how = to ? (from ? 'other' : 'narrower') : 'wider';
    const [impact, meaning] = MEANING[direction][how];
    const what = `${modification('type', from?.join(' or '), to?.join(' or '))}: ${meaning}`;
    const [side, { pointer }] = to ? (['revision', both.after] as const) : (['base', both.before] as const);
    yield tell(pair, side, pointer, impact, what);
    return;
  }
  yield* compareConstraints(pair, direction, whole);
  const asked = differing(before.keywords, after.keywords).filter((name) => !isAnnotation(name, direction));
  yield* compareWords(pair, whole, asked);
  yield* compareOpenList(pair, whole);
  yield* compareProperties(pair, direction, before, after);
  for (const name of ['items', 'additionalProperties'] as const) {
    const [from, to] = [before[name], after[name]];
    // Who may send nothing beyond the properties is told so above, or that it now may.
    const isClosed = [before, after].some(({ keywords }) => keywords[name] === false);
    if ((from || to) && !(isClosed && direction === 'request'))
      yield* compareSchemas(pair, direction, {
        before: from ?? empty(both.before),
        after: to ?? empty(both.after),
      });
  }
}

/** What two schemas say as a whole, where they stand. */
function wholes(before: Shape, after: Shape, both: Both): Both {
  return {
    before: { value: before.keywords, pointer: both.before.pointer },
    after: { value: after.keywords, pointer: both.after.pointer },
  };
}

function empty({ pointer }: Located): Located {
  return { value: {}, pointer };
}

function* compareConstraints(pair: Pair, direction: Direction, { before, after }: Both): Iterable<Change> {
  const known = CONSTRAINTS.flatMap(({ keywords }) => keywords);
  // A keyword that is not known here narrows what it is written beside.
  const unknown = differing(before.value, after.value)
    .filter((name) => ![...known, 'default', OPEN_LIST].includes(name) && !isAnnotation(name, direction))
    .map((name) => ({
      keywords: [name],
      relation: (from: Json, to: Json): Relation =>
        from[name] === undefined ? 'narrower' : to[name] === undefined ? 'wider' : 'other',
    }));
  for (const { keywords, relation } of [...CONSTRAINTS, ...unknown]) {
    const how = relation(before.value, after.value);
    if (how === undefined) continue;
    const changed = keywords.filter((name) => !isDeepStrictEqual(before.value[name], after.value[name]));
    const what = changed.map((name) => constraint(name, before.value[name], after.value[name])).join(' and ');
    const [impact, meaning] = MEANING[direction][how];
    const [name = ''] = changed;
    yield changeOf(pair, { before, after }, name, impact, `${what}: ${meaning}`);
  }
}

function constraint(name: string, from: Json, to: Json): string {
  if (name !== 'enum' || !from || !to) return modification(name, from, to);
  const list = (values: Json[], others: Json[]) =>
    values.filter((each) => each !== null && !others.includes(each)).join(', ');
  const [lost, gained] = [list(from, to), list(to, from)];
  return [gained && `has the new value ${gained}`, lost && `no longer has the value ${lost}`]
    .filter(Boolean)
    .join(' and ');
}

/** The values of an open list: callers must take new ones, and may count on the old ones. */
function* compareOpenList(pair: Pair, { before, after }: Both): Iterable<Change> {
  const name = OPEN_LIST;
  const from: Json[] | undefined = before.value[name];
  if (from === undefined && after.value[name])
    yield changeAt(pair, 'revision', [...after.pointer, name], 'patch', 'lists values that it may have');
  const to: Json[] = after.value[name] ?? after.value.enum ?? [];
  const isCodes = (list: Json[], { document }: Contract) =>
    isDeepStrictEqual(list, Object.keys(document['x-error-codes'] ?? {}));
  if (from === undefined || (isCodes(from, pair.base) && isCodes(to, pair.revision))) return;
  for (const value of from.filter((each) => !to.includes(each)))
    yield changeAt(pair, 'base', [...before.pointer, name], 'major', `no longer has the value ${value}`);
  for (const value of to.filter((each) => !from.includes(each)))
    yield changeAt(pair, 'revision', [...after.pointer, name], 'minor', `may have the new value ${value}`);
}

function* compareProperties(pair: Pair, direction: Direction, before: Shape, after: Shape): Iterable<Change> {
  const isHidden = (contract: Contract, located: Located) =>
    partsOf(contract, located).some(({ value }) => value[HIDDEN[direction]] === true);
  for (const name of new Set([...Object.keys(before.properties), ...Object.keys(after.properties)])) {
    const [old, now] = [before.properties[name], after.properties[name]];
    // A map has it under any name.
    const from = old ? !isHidden(pair.base, old) && old : before.additionalProperties;
    const to = now ? !isHidden(pair.revision, now) && now : after.additionalProperties;
    const wasRequired = isRequiredIn(pair.base, direction, before, name);
    const isRequired = isRequiredIn(pair.revision, direction, after, name);
    if (from && to) {
      // Where it has its name.
      const tell: typeof presenceAt = (_pair, _side, _pointer, ...rest) =>
        now
          ? presenceAt(pair, 'revision', now.pointer, ...rest)
          : presenceAt(pair, 'base', from.pointer, ...rest);
      if (!old) yield tell(pair, 'revision', to.pointer, 'patch', 'has a name of its own now');
      if (!now) yield tell(pair, 'base', from.pointer, 'patch', 'no longer has a name of its own');
      yield* comparePresence(pair, direction, to, wasRequired, isRequired, tell);
      if (direction === 'request' && !wasRequired)
        yield* compareDefaults(pair, { before: from, after: to }, 'minor');
      yield* compareSchemas(pair, direction, { before: from, after: to });
    } else if (from) {
      const what = direction === 'request' ? 'may no longer be sent' : 'is no longer there in replies';
      if (now)
        yield presenceAt(pair, 'revision', now.pointer, 'major', `is now ${HIDDEN[direction]}: it ${what}`);
      else yield presenceAt(pair, 'base', from.pointer, 'major', what);
    } else if (to) {
      const must = direction === 'request' && isRequired;
      const what =
        direction === 'reply' ? 'is new in replies' : `is new, and ${must ? 'must' : 'may'} be sent`;
      yield presenceAt(pair, 'revision', to.pointer, must ? 'major' : 'minor', what);
    }
  }
}

/** Who leaves out what has a default has sent it. */
function isRequiredIn(contract: Contract, direction: Direction, shape: Shape, name: string): boolean {
  const property = shape.properties[name];
  const hasDefault = direction === 'request' && property && 'default' in shapeOf(contract, property).keywords;
  return shape.required.includes(name) && !hasDefault;
}

/** What had to be there and may now be missing, or the other way round. */
export function* comparePresence(
  pair: Pair,
  direction: Direction,
  { pointer }: Pick<Located, 'pointer'>,
  before: boolean,
  after: boolean,
  tell = changeAt,
): Iterable<Change> {
  if (before === after) return;
  const [impact, what] = {
    request: after ? (['major', 'must now be sent'] as const) : (['minor', 'may now be left out'] as const),
    reply: after
      ? (['minor', 'is now always there'] as const)
      : (['major', 'may now be missing, and was always there'] as const),
  }[direction];
  yield tell(pair, 'revision', pointer, impact, what);
}

/** Who leaves a value out is answered as if it had sent the default. */
export function* compareDefaults(pair: Pair, { before, after }: Both, ofNew: Impact): Iterable<Change> {
  const keywords = wholes(shapeOf(pair.base, before), shapeOf(pair.revision, after), { before, after });
  const [from, to] = [keywords.before.value.default, keywords.after.value.default];
  if (isDeepStrictEqual(from, to)) return;
  const what = `${modification('default', from, to)}: leaving it out means something else`;
  yield changeOf(pair, keywords, 'default', from === undefined ? ofNew : 'major', what);
}

/** A schema without branches is its own only one, so that a new alternative is seen as one. */
function* compareBranches(
  pair: Pair,
  direction: Direction,
  both: Both,
  { branches: before = [both.before], union: from }: Shape,
  { branches: after = [both.after], union: to }: Shape,
): Iterable<Change> {
  const resolved = (contract: Contract, { value }: Located): Json => contract.resolve(value) ?? {};
  const sameness: ((from: Located, to: Located) => boolean)[] = [
    (from, to) => from.value?.$ref !== undefined && from.value.$ref === to.value?.$ref,
    (from, to) => isDeepStrictEqual(resolved(pair.base, from), resolved(pair.revision, to)),
    (from, to) =>
      !(from.value?.$ref && to.value?.$ref) &&
      isDeepStrictEqual(withoutNull(resolved(pair.base, from)), withoutNull(resolved(pair.revision, to))),
  ];
  if (from && to && from !== to) {
    const [impact, meaning] = MEANING[direction][to === 'anyOf' ? 'wider' : 'narrower'];
    const what = `has ${to} instead of ${from}: ${meaning}`;
    yield changeAt(pair, 'revision', [...both.after.pointer, to], impact, what);
  }
  const lost = [...before];
  const gained = [...after];
  for (const isSame of sameness) {
    for (const from of [...lost]) {
      const to = gained.find((each) => isSame(from, each));
      if (!to) continue;
      lost.splice(lost.indexOf(from), 1);
      gained.splice(gained.indexOf(to), 1);
      yield* compareSchemas(pair, direction, { before: from, after: to }, true);
    }
  }
  const told = (side: 'base' | 'revision', { value, pointer }: Located, relation: Relation, what: string) => {
    const [impact, meaning] = MEANING[direction][relation];
    const name =
      value?.$ref?.split('/').at(-1) ??
      withoutNull(resolved(pair[side], { value, pointer }))?.join(' or ') ??
      'any';
    // The alternatives are those of the schema they are listed in, wherever they are written.
    const owner = (side === 'base' ? both.before : both.after).pointer;
    return changeAt(pair, side, owner, impact, `${what} ${name}: ${meaning}`);
  };
  for (const each of lost) yield told('base', each, 'narrower', 'loses the alternative');
  for (const each of gained) yield told('revision', each, 'wider', 'gets the alternative');
}
