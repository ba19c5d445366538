import { CharSet, JS, type Concatenation, type Element } from 'refa';

/** A shorter repetition is not a loop: it has few paths. */
const FEW = 10;

/** In a longer loop only the paths through one place are counted. */
const MOST_PLACES = 60;

/** A part of a pattern: the numbers of the characters with which it may begin and end. */
interface Part {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly isNullable: boolean;
}

const NOTHING: Part = { first: [], last: [], isNullable: true };

/**
 * Whether one text can pass a loop of the pattern in two ways, and the match can still fail after it: then the
 * ways double with every round, and so does the time until a text is rejected (exponential ambiguity of the Glushkov
 * automaton; Weber and Seidl, 1991).
 */
export function hasAmbiguousLoop(pattern: RegExp): boolean {
  const { expression } = JS.Parser.fromLiteral(pattern).parse({
    assertions: 'parse',
    backreferences: 'unknown',
    maxNodes: 100_000,
  });
  const { whole, characters, follow } = automatonOf(expression.alternatives);
  const ends = new Set(whole.last);
  const nextOf = (place: number) => [...(follow[place]?.keys() ?? [])];
  const before = reversed(characters.keys(), nextOf);
  const seen = new Set<number>();

  return characters.some((_each, start) => {
    if (seen.has(start)) return false;
    const leadingBack = reachedFrom(before(start), before);
    const loop = new Set([...reachedFrom(nextOf(start), nextOf)].filter((place) => leadingBack.has(place)));
    const places = [...loop];
    for (const place of places) seen.add(place);
    if (places.length === 0) return false;
    const next = (place: number) => nextOf(place).filter((item) => loop.has(item));
    // A match that may end anywhere never backtracks.
    const canEnter = (from: number) => !loop.has(from) && nextOf(from).some((to) => loop.has(to));
    const isNeverLeft =
      places.every((place) => ends.has(place)) ||
      ((whole.isNullable || !whole.first.some((place) => loop.has(place))) &&
        follow.every((_each, place) => !canEnter(place) || ends.has(place)));
    if (isNeverLeft) return false;
    if (places.some((place) => next(place).some((to) => (follow[place]?.get(to) ?? 0) > 1))) return true;
    return places.length <= MOST_PLACES && meetsItself(places, next, characters);
  });
}

/** Whether two different places of a loop are reached from one, and lead back to one, by the same text. */
function meetsItself(
  places: readonly number[],
  next: (place: number) => readonly number[],
  characters: readonly CharSet[],
): boolean {
  const size = characters.length;
  const meets = (a: number, b: number) => {
    const [one, other] = [characters[a], characters[b]];
    return one !== undefined && other !== undefined && !one.isDisjointWith(other);
  };
  const pairsAfter = (pair: number) => {
    const [one, other] = [next(Math.floor(pair / size)), next(pair % size)];
    return one.flatMap((a) => other.filter((b) => meets(a, b)).map((b) => a * size + b));
  };
  const forth = reachedFrom(
    places.map((place) => place * size + place),
    pairsAfter,
  );
  const same = [...forth].filter((pair) => pair % (size + 1) === 0);
  const leadingBack = reachedFrom(same, reversed(forth, pairsAfter));
  return [...forth].some((pair) => pair % (size + 1) !== 0 && leadingBack.has(pair));
}

/** Which of `nodes` lead to a node. */
function reversed(nodes: Iterable<number>, next: (node: number) => readonly number[]) {
  const before = new Map<number, number[]>();
  for (const node of nodes) {
    for (const item of next(node)) {
      const known = before.get(item);
      if (known) known.push(node);
      else before.set(item, [node]);
    }
  }
  return (node: number): readonly number[] => before.get(node) ?? [];
}

/** The nodes of `start`, and those that they lead to. */
function reachedFrom(start: readonly number[], next: (node: number) => readonly number[]): Set<number> {
  const reached = new Set(start);
  for (const node of reached) for (const item of next(node)) reached.add(item);
  return reached;
}

/** Which places follow which, and in how many ways. */
function automatonOf(alternatives: readonly Concatenation[]) {
  const characters: CharSet[] = [];
  const follow: Map<number, number>[] = [];
  const connect = (from: Part, to: Part) => {
    for (const place of from.last)
      for (const next of to.first) follow[place]?.set(next, (follow[place].get(next) ?? 0) + 1);
  };
  const read = (set: CharSet): Part => {
    characters.push(set);
    follow.push(new Map());
    const place = [characters.length - 1];
    return { first: place, last: place, isNullable: false };
  };
  const oneOf = (parts: readonly Concatenation[]): Part => {
    const all = parts.map(({ elements }) => elements.map(partOf).reduce(inTurn, NOTHING));
    return {
      first: all.flatMap(({ first }) => first),
      last: all.flatMap(({ last }) => last),
      isNullable: all.some(({ isNullable }) => isNullable),
    };
  };
  const inTurn = (a: Part, b: Part): Part => {
    connect(a, b);
    return {
      first: a.isNullable ? [...a.first, ...b.first] : a.first,
      last: b.isNullable ? [...a.last, ...b.last] : b.last,
      isNullable: a.isNullable && b.isNullable,
    };
  };
  const partOf = (element: Element): Part => {
    if (element.type === 'CharacterClass') return read(element.characters);
    if (element.type === 'Alternation') return oneOf(element.alternatives);
    // An assertion reads nothing, but can make the part before it backtrack.
    if (element.type !== 'Quantifier') return read(CharSet.empty(0xffff));
    const inner = oneOf(element.alternatives);
    const isLoop = element.max !== element.min || element.alternatives.some(hasVariable);
    if (element.max > FEW && isLoop) connect(inner, inner);
    return { ...inner, isNullable: inner.isNullable || element.min === 0 };
  };
  return { whole: oneOf(alternatives), characters, follow };
}

/** Whether texts of different lengths match. */
function hasVariable({ elements }: Concatenation): boolean {
  return elements.some(
    (element) =>
      (element.type === 'Quantifier' && element.min !== element.max) ||
      ((element.type === 'Quantifier' || element.type === 'Alternation') &&
        element.alternatives.some(hasVariable)),
  );
}
