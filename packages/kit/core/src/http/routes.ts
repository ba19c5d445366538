export interface Route {
  readonly segments: readonly Segment[];
  /** Its methods, as in the `Allow` header (RFC 9110 §10.2.1). */
  readonly allow: string;
  /** By method. */
  readonly operations: Readonly<Record<string, string>>;
  /** The names of its parameters by method: paths may differ in them alone. */
  readonly names: Readonly<Record<string, readonly string[]>>;
}

/** A path without the names of its parameters: paths of one shape match the same requests. */
export function pathShapeOf(path: string): string {
  return spelledAlike(path.replaceAll(/\{[^}]*\}/g, '{}'));
}

/** A path in one spelling (RFC 3986 §6.2.2): `%c3%A9` and `é` are `%C3%A9`, `%61` is `a`. */
function spelledAlike(path: string): string {
  return path.replaceAll(/(?:%[\da-f]{2})+|[^!-~]+/gi, (text) =>
    Array.from(decoded(text) ?? text, (char) =>
      /[\w.~-]/.test(char) ? char : encoded(char).toUpperCase(),
    ).join(''),
  );
}

/** A path template as a URL has it: with other characters than those of RFC 3986 percent-encoded, except in names. */
export function encodedTemplate(path: string): string {
  return path.replaceAll(/\{[^}]*\}|[^!-~]+|["<>\\^`|]/g, (text) =>
    text.startsWith('{') ? text : encodeURIComponent(text),
  );
}

/** A path segment: literal text, percent-decoded, and parameters alternate, with text at both ends. */
type Segment = readonly string[];

/** Each with its operationId. */
type Operations = Iterable<readonly [id: string, { readonly method: string; readonly path: string }]>;

/** Finds the route of a path without its query. Paths are case-sensitive, and a trailing slash counts. */
export function routeFinder(operations: Operations, basePath: string): (path: string) => Route | undefined {
  const routes = routesOf(operations, basePath);
  // A path without parameters matches as it is.
  const asWritten = new Map(routes.flatMap((route) => (isLiteral(route) ? [[route.written, route]] : [])));
  const byLength = groupByLength(routes);
  const search = (segments: readonly string[]) => {
    for (const { pattern, byText } of byLength.get(segments.length) ?? []) {
      const candidates = byText.get(literalText(pattern, segments));
      const found = candidates?.find((candidate) => matches(candidate, segments));
      if (found) return found;
    }
    return undefined;
  };
  return (path) => asWritten.get(path) ?? search(path.split('/'));
}

/** Whether a path is the base path or below it. */
export function underBasePath(basePath: string): (path: string) => boolean {
  const base = spelledAlike(basePath);
  const below = `${base}/`;
  const isPlain = !base.includes('%');
  return (path) => {
    // A plain one is compared as it is written: proxies route by it.
    const spelled = isPlain ? path : spelledAlike(path);
    return spelled === base || spelled.startsWith(below);
  };
}

/** A route, and its path as the contract has it. */
interface WrittenRoute extends Route {
  readonly written: string;
}

function routesOf(operations: Operations, basePath: string): WrittenRoute[] {
  const paths = new Map<string, Record<string, string>>();
  const names = new Map<string, readonly string[]>();
  for (const [id, { method, path }] of operations) {
    const shape = pathShapeOf(path);
    const methods = paths.get(shape) ?? {};
    paths.set(shape, methods);
    methods[method] = id;
    // RFC 9110 §9.3.2: HEAD is GET without the body.
    if (method === 'GET') methods['HEAD'] ??= id;
    names.set(
      id,
      [...path.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name),
    );
  }
  return [...paths].map(([shape, methods]) => ({
    written: spelledAlike(basePath) + shape,
    segments: `${basePath}${shape}`
      .split('/')
      .map((text) => text.split(/\{([^}]*)\}/).map((part) => decoded(part) ?? part)),
    operations: methods,
    names: Object.fromEntries(Object.entries(methods).map(([method, id]) => [method, names.get(id) ?? []])),
    allow: [...new Set([...Object.keys(methods), 'OPTIONS'])].join(', '),
  }));
}

/** Paths with parameters at the same places. So a contract may have many paths, and few are compared with a request. */
interface Group {
  /** For each segment 0 if it is literal, 1 if there is text around its parameter, otherwise 2. */
  readonly pattern: string;
  readonly byText: Map<string, Route[]>;
}

/** Groups by their number of segments, more literal ones first, as OpenAPI 3.1 §4.8.8.2 requires. */
function groupByLength(routes: readonly Route[]): Map<number, Group[]> {
  const rank = (segment: Segment) => {
    if (!isParameter(segment)) return '0';
    return segment.some((text, index) => index % 2 === 0 && text !== '') ? '1' : '2';
  };
  const groups = new Map<string, Group>();
  for (const route of routes) {
    const pattern = route.segments.map(rank).join('');
    const group = groups.get(pattern) ?? { pattern, byText: new Map<string, Route[]>() };
    groups.set(pattern, group);
    const starts = route.segments.map(([start = '']) => start);
    const text = literalText(pattern, starts);
    group.byText.set(text, [...(group.byText.get(text) ?? []), route].sort(byLiterals));
  }
  const byLength = new Map<number, Group[]>();
  for (const group of [...groups.values()].sort((a, b) => a.pattern.localeCompare(b.pattern))) {
    const { length } = group.pattern;
    byLength.set(length, [...(byLength.get(length) ?? []), group]);
  }
  return byLength;
}

/** The one with more text beside its parameters first: `/cover.{format}` is also `/{name}.{format}`. */
function byLiterals(a: Route, b: Route): number {
  const lengthOf = ({ segments }: Route) =>
    segments.map((segment) => segment.filter((_, index) => index % 2 === 0).join('').length);
  const [lengths, others] = [lengthOf(a), lengthOf(b)];
  const first = lengths.findIndex((length, index) => length !== others[index]);
  return first === -1 ? 0 : (others[first] ?? 0) - (lengths[first] ?? 0);
}

/** The literal segments of a path, percent-decoded. */
function literalText(pattern: string, segments: readonly string[]): string {
  let text = '';
  for (let index = 0; index < pattern.length; index += 1) {
    const segment = pattern[index] === '0' ? (segments[index] ?? '') : '';
    text += `/${decoded(segment) ?? segment}`;
  }
  return text;
}

/** Whether a path has no parameter. */
export function isLiteral({ segments }: Pick<Route, 'segments'>): boolean {
  return !segments.some(isParameter);
}

/** The parameters of a request for `method` as they are written: percent-encoded. */
export function paramsOf(
  { segments, names }: Pick<Route, 'segments' | 'names'>,
  method: string,
  path: string,
): Record<string, string> {
  const params: Record<string, string> = {};
  const own = names[method] ?? [];
  if (own.length === 0) return params;
  const actual = path.split('/');
  let filled = 0;
  segments.forEach((segment, index) => {
    if (!isParameter(segment)) return;
    for (const value of valuesIn(segment, actual[index] ?? '') ?? []) params[own[filled++] ?? ''] = value;
  });
  return params;
}

function matches({ segments }: Pick<Route, 'segments'>, actual: readonly string[]): boolean {
  return segments.every((segment, index) => valuesIn(segment, actual[index] ?? '') !== undefined);
}

/** The non-empty parameter values of a segment; undefined if `actual` does not match. */
function valuesIn(segment: Segment, actual: string): string[] | undefined {
  const [start = ''] = segment;
  if (!isParameter(segment)) return actual === start || decoded(actual) === start ? [] : undefined;
  if (!actual.includes('%')) return valuesBetween(segment, actual);
  return (
    valuesBetween(segment, withLiterals(segment, actual, UNSAFE)) ??
    // Only then: in `{from},{to}`, `1%2C2,3` is `1,2` and `3`.
    valuesBetween(segment, withLiterals(segment, actual, /[^%]/))
  );
}

function valuesBetween([start = '', ...rest]: Segment, actual: string): string[] | undefined {
  if (!actual.startsWith(start)) return undefined;
  const values: string[] = [];
  let from = start.length;
  // One pass: the first match leaves the most to later parameters.
  for (let next = 1; next < rest.length; next += 2) {
    const literal = rest[next] ?? '';
    const isLast = next === rest.length - 1;
    const to = isLast ? actual.length - literal.length : actual.indexOf(literal, from + 1);
    if (to <= from || !actual.startsWith(literal, to)) return undefined;
    values.push(actual.slice(from, to));
    from = to + literal.length;
  }
  return values;
}

/** Characters that every client percent-encodes (RFC 3986 appendix A). */
const UNSAFE = /[^!-~]|["<>\\^`{|}]/;

/** `actual` without percent-encoding of the characters that a segment's literal text has and that `unencoded` matches. */
function withLiterals(segment: Segment, actual: string, unencoded: RegExp): string {
  const literals = new Set(segment.filter((_, index) => index % 2 === 0).join(''));
  if (literals.size === 0) return actual;
  const spelt = (char: string) => (literals.has(char) && unencoded.test(char) ? char : encoded(char));
  return actual.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => {
    const text = decoded(run);
    return text === undefined ? run : Array.from(text, spelt).join('');
  });
}

/** Also a character that need not be: one that is encoded is no delimiter of a style. */
function encoded(char: string): string {
  return Array.from(new TextEncoder().encode(char), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(
    '',
  );
}

/** A client may percent-encode characters without need (RFC 3986 §2.3). */
function decoded(text: string): string | undefined {
  if (!text.includes('%')) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function isParameter(segment: Segment): boolean {
  return segment.length > 1;
}
