import { CharSet, JS, type Concatenation, type Element } from 'refa';

/** A shorter repetition is not a loop: it has few paths. */
const FEW = 10;

/** In a longer loop only the paths through one place are counted. */
const MOST_PLACES = 60;

/** Places in a pattern where one character is read, by number: those before which and after which a part begins and ends. */
interface Part {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly isNullable: boolean;
}

const NOTHING: Part = { first: [], last: [], isNullable: true };

/**
 * Whether a loop of the pattern can be gone through in two ways by one text, and may have to be left again: then the
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
  const loopOf = components(follow);
  const ends = new Set(whole.last);
  const members = new Map<number, number[]>();
  for (const [place, loop] of loopOf.entries()) members.set(loop, [...(members.get(loop) ?? []), place]);

  return [...members].some(([loop, places]) => {
    const next = (place: number) =>
      [...(follow[place]?.keys() ?? [])].filter((each) => loopOf[each] === loop);
    if (places.length === 1 && next(places[0] ?? -1).length === 0) return false;
    // What may end wherever it is never looks for another way.
    const canEnter = (from: number) =>
      loopOf[from] !== loop && [...(follow[from]?.keys() ?? [])].some((to) => loopOf[to] === loop);
    const isNeverLeft =
      places.every((place) => ends.has(place)) ||
      ((whole.isNullable || !whole.first.some((place) => loopOf[place] === loop)) &&
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
  const size = places.length;
  const indexOf = new Map(places.map((place, index) => [place, index]));
  const nexts = places.map((place) => next(place).map((each) => indexOf.get(each) ?? 0));
  const meets = places.map((a) =>
    places.map((b) => {
      const [one, other] = [characters[a], characters[b]];
      return one !== undefined && other !== undefined && !one.isDisjointWith(other);
    }),
  );
  const pairs = Array.from({ length: size * size }, (_, pair) => {
    const [one, other] = [nexts[Math.floor(pair / size)] ?? [], nexts[pair % size] ?? []];
    const both = one.flatMap((a) => other.filter((b) => meets[a]?.[b]).map((b) => a * size + b));
    return new Map(both.map((each) => [each, 1]));
  });
  const componentOf = components(pairs);
  const same = new Set(places.map((_place, index) => componentOf[index * size + index]));
  return pairs.some((_each, pair) => pair % (size + 1) !== 0 && same.has(componentOf[pair]));
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
    // An assertion reads nothing, but what comes before it may have to be given back.
    if (element.type !== 'Quantifier') return read(CharSet.empty(0xffff));
    const inner = oneOf(element.alternatives);
    const isLoop = element.max !== element.min || element.alternatives.some(hasVariable);
    if (element.max > FEW && isLoop) connect(inner, inner);
    return { ...inner, isNullable: inner.isNullable || element.min === 0 };
  };
  return { whole: oneOf(alternatives), characters, follow };
}

/** Whether texts of different lengths fit. */
function hasVariable({ elements }: Concatenation): boolean {
  return elements.some(
    (each) =>
      (each.type === 'Quantifier' && each.min !== each.max) ||
      ((each.type === 'Quantifier' || each.type === 'Alternation') && each.alternatives.some(hasVariable)),
  );
}

/** The strongly connected component of each node of a graph, by number (Tarjan, 1972). */
function components(graph: readonly ReadonlyMap<number, number>[]): number[] {
  const index: number[] = [];
  const low: number[] = [];
  const found: number[] = new Array<number>(graph.length).fill(-1);
  const stack: number[] = [];
  let count = 0;
  let component = 0;
  const enter = (node: number) => {
    index[node] = low[node] = count;
    count += 1;
    stack.push(node);
    return { node, next: (graph[node] ?? new Map<number, number>()).keys() };
  };
  for (let root = 0; root < graph.length; root += 1) {
    if (index[root] !== undefined) continue;
    const path = [enter(root)];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { node, next } = top;
      const { value: child, done } = next.next();
      if (!done) {
        if (index[child] === undefined) path.push(enter(child));
        else if (found[child] === -1) low[node] = Math.min(low[node] ?? 0, index[child]);
        continue;
      }
      path.pop();
      const parent = path.at(-1)?.node;
      if (parent !== undefined) low[parent] = Math.min(low[parent] ?? 0, low[node] ?? 0);
      if (low[node] !== index[node]) continue;
      for (let member = stack.pop(); member !== undefined; member = stack.pop()) {
        found[member] = component;
        if (member === node) break;
      }
      component += 1;
    }
  }
  return found;
}
