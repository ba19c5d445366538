import { paramsOf, routeFinder } from '../../src/http/routes.ts';
import {
  cookieTexts,
  decoded,
  pairTexts,
  parameterReader,
  writeParameter,
  writePath,
  type ParameterShape,
  type PlacedParameter,
} from '../../src/http/index.ts';

const NAME = 'x';

const refuse = (why: string): never => {
  throw new TypeError(why);
};
/** Writes scalars alone, as a client does. */
const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

type Style = Required<Omit<PlacedParameter, 'name'>>;

const write = (style: Style, value: unknown) =>
  writeParameter({ name: NAME, ...style }, value, textOf, refuse);

/** The value of a text that was sent in its place. */
function read(style: Style, shape: ParameterShape, sent: string | undefined): unknown {
  const { read } = parameterReader({ name: NAME, ...style }, shape, (what, why) => refuse(`${what} ${why}`));
  const inPlace = (place: Style['in']) => (style.in === place ? sent : undefined);
  return read(
    {
      path: { [NAME]: inPlace('path') ?? '' },
      query: pairTexts(inPlace('query') ?? '', (text) => decoded(text, 'query')),
      header: () => [inPlace('header') ?? []].flat(),
      cookie: (name) => cookieTexts(inPlace('cookie') ?? '', name),
    },
    () => false,
  );
}

const styles: readonly (readonly [place: Style['in'], styles: readonly string[]])[] = [
  ['path', ['simple', 'label', 'matrix']],
  ['query', ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject']],
  ['header', ['simple']],
  ['cookie', ['form', 'cookie']],
];
const cells: Style[] = styles.flatMap(([place, all]) =>
  all.flatMap((style) => [false, true].map((explode) => ({ in: place, style, explode }))),
);

/** Texts with all that a style, a place or a URL could mistake for something else. */
const TEXTS = [
  'a',
  '',
  'a b',
  ' a',
  'a ',
  'a,b',
  'a.b',
  '.',
  '..',
  'a;b',
  'a=b',
  'a&b',
  'a|b',
  'a/b',
  'a?b#c',
].concat([
  'a+b',
  '%',
  '%2C',
  '100%25',
  '[a]',
  '"a"',
  "'",
  'a\\b',
  ';x=a',
  'ä',
  '\u{1f436}',
  'a\tb',
  'a\nb',
  '\0',
  'null',
]);
const KEYS = [
  'k',
  'a b',
  'a,b',
  'a.b',
  'a=b',
  'a&b',
  'a|b',
  'a[b',
  'a]',
  '',
  '%2C',
  'ä',
  'a;b',
  '__proto__',
  '0',
];

const object = (entries: readonly (readonly [string, unknown])[]): object => Object.fromEntries(entries);

interface Kind {
  readonly shape: (value: unknown) => ParameterShape;
  readonly values: readonly unknown[];
}

const fieldsOf = (value: object): NonNullable<ParameterShape['fields']> =>
  new Map(Object.entries(value).map(([name, field]) => [name, Array.isArray(field)]));

const KINDS: Readonly<Record<string, Kind>> = {
  'a text': { shape: () => ({ kind: 'scalar' }), values: TEXTS },
  'a list': {
    shape: () => ({ kind: 'list' }),
    values: [...TEXTS.flatMap((text) => [[text], ['b', text], [text, 'b'], ['b', text, 'c']]), ['', '']],
  },
  'an object': {
    shape: (value) => ({ kind: 'object', fields: fieldsOf(value as object) }),
    values: [
      ...TEXTS.flatMap((text) => [{ k: text }, { k: text, l: 'b' }, { k: 'b', l: text }]),
      ...KEYS.flatMap((key) => [
        object([[key, 'b']]),
        object([
          ['l', 'b'],
          [key, 'c'],
        ]),
      ]),
      { k: ['a', 'b'], l: 'c' },
      { k: { l: 'a' } },
      { k: { l: { m: ['a', 'a]b'] } } },
      { k: [{ l: 'a' }, { l: 'b', m: ['c'] }] },
      { k: {} },
      { k: [] },
    ],
  },
};

/** What a server reads of lists in objects: by the schema, with which the names of their steps are indexes. */
function withLists(read: unknown, value: unknown): unknown {
  if (Array.isArray(value) && typeof read === 'object' && read !== null)
    return value.map((item, index) => withLists((read as Record<number, unknown>)[index], item));
  if (typeof value !== 'object' || value === null || typeof read !== 'object' || read === null) return read;
  return object(
    Object.entries(read).map(([key, item]) => [
      key,
      withLists(item, (value as Record<string, unknown>)[key]),
    ]),
  );
}

/** Contracts with these are refused, or a client that has types cannot write them. */
const isDeclarable = ({ style }: Style, kind: string) =>
  kind === 'an object' ? !/label|matrix/.test(style) : kind === 'a list' || style !== 'deepObject';

/** As RFC 6570 §2.3 has it, nothing is sent for an empty list, and its field is as if it were a parameter. */
const isNothing = (value: unknown) =>
  Array.isArray(value) ||
  Object.values(value as object).every((item) => Array.isArray(item) && item.length === 0);

describe.each(cells)('in $in, style $style, explode $explode,', (style) => {
  test.each(Object.keys(KINDS).filter((kind) => isDeclarable(style, kind)))(
    '%s is read as it was written, or refused',
    (name) => {
      const { shape, values } = KINDS[name] as Kind;
      const misread = values.flatMap((value) => {
        let sent: string | undefined;
        try {
          sent = write(style, value);
        } catch (error) {
          expect(error).toEqual(new TypeError('x cannot be sent exactly'));
          return [];
        }
        if (sent === undefined && isNothing(value)) return [];
        const received = withLists(read(style, shape(value), sent), value);
        try {
          expect(received).toEqual(value);
          return [];
        } catch {
          return [{ value, sent, received }];
        }
      });
      expect(misread).toEqual([]);
    },
  );
});

/** [where, style, explode, value, as it is written]. */
type Row = readonly [
  place: Style['in'],
  style: string,
  explode: boolean,
  value: unknown,
  sent: string | undefined,
];

const SHELF = { k: 'a b', l: 'c,d' };
const rows: readonly Row[] = [
  ['path', 'simple', false, 'a,b.c', 'a%2Cb.c'],
  ['path', 'simple', false, ['a', 'b,c'], 'a,b%2Cc'],
  ['path', 'simple', true, ['a', 'b,c'], 'a,b%2Cc'],
  ['path', 'simple', false, SHELF, 'k,a%20b,l,c%2Cd'],
  ['path', 'simple', true, SHELF, 'k=a%20b,l=c%2Cd'],
  ['path', 'label', false, 'a.b', '.a.b'],
  ['path', 'label', false, ['a.b', 'c'], '.a.b,c'],
  ['path', 'label', true, ['a', 'b,c'], '.a.b%2Cc'],
  ['path', 'matrix', false, 'a;b', ';x=a%3Bb'],
  ['path', 'matrix', false, ['a', 'b;c'], ';x=a,b%3Bc'],
  ['path', 'matrix', true, ['a', 'b;c'], ';x=a;x=b%3Bc'],
  ['query', 'form', true, 'a&b', 'x=a%26b'],
  ['query', 'form', false, '', 'x='],
  ['query', 'form', false, ['a', 'b,c'], 'x=a,b%2Cc'],
  ['query', 'form', true, ['a', 'b,c'], 'x=a&x=b%2Cc'],
  ['query', 'form', true, [''], 'x='],
  ['query', 'form', false, SHELF, 'x=k,a%20b,l,c%2Cd'],
  ['query', 'form', true, { 'k=': 'a', l: ['b', 'c'] }, 'k%3D=a&l=b&l=c'],
  ['query', 'spaceDelimited', false, ['a+', 'b,c'], 'x=a%2B%20b%2Cc'],
  ['query', 'spaceDelimited', true, ['a b', 'c'], 'x=a%20b&x=c'],
  ['query', 'spaceDelimited', false, { k: 'a', l: 'b' }, 'x=k%20a%20l%20b'],
  ['query', 'pipeDelimited', false, ['a', 'b,c'], 'x=a%7Cb%2Cc'],
  ['query', 'pipeDelimited', true, ['a|b', 'c'], 'x=a%7Cb&x=c'],
  ['query', 'pipeDelimited', false, { k: 'a', l: 'b' }, 'x=k%7Ca%7Cl%7Cb'],
  [
    'query',
    'deepObject',
    true,
    { k: 'a', l: { m: ['b', 'c'] } },
    'x%5Bk%5D=a&x%5Bl%5D%5Bm%5D%5B%5D=b&x%5Bl%5D%5Bm%5D%5B%5D=c',
  ],
  [
    'query',
    'deepObject',
    true,
    { k: [{ l: 'a' }, { l: 'b' }] },
    'x%5Bk%5D%5B0%5D%5Bl%5D=a&x%5Bk%5D%5B1%5D%5Bl%5D=b',
  ],
  ['query', 'deepObject', true, ['a', 'b'], 'x%5B%5D=a&x%5B%5D=b'],
  ['header', 'simple', false, 'a, b%', 'a, b%'],
  ['header', 'simple', false, ['a b', 'c'], 'a b,c'],
  ['header', 'simple', false, [''], ''],
  ['header', 'simple', false, { k: 'a', l: 'b=c' }, 'k,a,l,b=c'],
  ['header', 'simple', true, { k: 'a', l: 'b=c' }, 'k=a,l=b=c'],
  ['cookie', 'form', false, 'a;b', 'x=a%3Bb'],
  ['cookie', 'form', false, ['a', 'b,c'], 'x=a,b%2Cc'],
  ['cookie', 'form', true, ['a', 'b,c'], 'x=a,b%2Cc'],
  ['cookie', 'form', false, SHELF, 'x=k,a%20b,l,c%2Cd'],
  ['cookie', 'form', true, SHELF, 'x=k=a%20b,l=c%2Cd'],
  ['cookie', 'cookie', false, 'a%=b', 'x=a%=b'],
  ['cookie', 'cookie', false, ['a', 'b'], 'x=a,b'],
  ['cookie', 'cookie', true, ['a', 'b'], 'x=a; x=b'],
  ['cookie', 'cookie', false, { k: 'a', l: 'b' }, 'x=k,a,l,b'],
  ['cookie', 'cookie', true, { k: 'a', l: 'b' }, 'k=a; l=b'],
];

const shapeOf = (value: unknown): ParameterShape => {
  const [kind] = Object.entries({
    'a list': Array.isArray(value),
    'an object': Object(value) === value,
    'a text': true,
  }).find(([, is]) => is) as [string, boolean];
  return (KINDS[kind] as Kind).shape(value);
};

test.each(rows)('in %s, style %s, explode %p, %j is %s', (place, style, explode, value, sent) => {
  const cell = { in: place, style, explode };
  expect(write(cell, value)).toBe(sent);
  expect(withLists(read(cell, shapeOf(value), sent), value)).toEqual(value);
});

test.each<[value: unknown, place: PlacedParameter['in'], sent: string]>([
  ['a b', 'path', 'a%20b'],
  ['a b', 'query', 'x=a%20b'],
  [['a', 'b c'], 'query', 'x=a&x=b%20c'],
  ['{"a":[1, "ä"]}', 'query', 'x=%7B%22a%22%3A%5B1%2C%20%22%C3%A4%22%5D%7D'],
  ['{"a":1}', 'cookie', 'x=%7B%22a%22%3A1%7D'],
  ['{"a":[1, 2]}', 'header', '{"a":[1, 2]}'],
])('without a style, %j in %s is %s', (value, place, sent) => {
  expect(writeParameter({ name: NAME, in: place }, value, textOf, refuse)).toBe(sent);
});

test('JSON in a header is in ASCII', () => {
  const sent = writeParameter(
    { name: NAME, in: 'header', style: 'json' },
    '{"ä":"\u{1f436}"}',
    textOf,
    refuse,
  );
  expect(sent).toBe(String.raw`{"\u00e4":"\ud83d\udc36"}`);
});

test.each<PlacedParameter['in']>(['path', 'header', 'cookie'])(
  'without a style, a list in %s cannot be sent',
  (place) => {
    expect(() => writeParameter({ name: NAME, in: place }, ['a'], textOf, refuse)).toThrow(TypeError);
  },
);

test.each<Row>([
  ['path', 'label', true, ['a.b'], 'an item with the delimiter'],
  ['query', 'spaceDelimited', false, ['a b'], 'an item with the delimiter'],
  ['query', 'pipeDelimited', false, ['a|b'], 'an item with the delimiter'],
  ['query', 'pipeDelimited', false, { 'k|': 'a' }, 'a name with the delimiter'],
  ['query', 'pipeDelimited', true, { 'k=': 'a' }, 'a name with the sign at its end'],
  ['path', 'simple', true, { 'k=': 'a' }, 'a name with the sign at its end'],
  ['header', 'simple', false, ['a,b'], 'an item with the delimiter'],
  ['header', 'simple', false, ['a', ' b'], 'a space around an item'],
  ['header', 'simple', false, 'a ', 'a space around a text'],
  ['header', 'simple', false, 'ä', 'a character that is not ASCII'],
  ['cookie', 'cookie', false, 'a b', 'a character that no cookie may have'],
  ['cookie', 'cookie', true, { k: ['a', 'b'] }, 'a list in an object'],
  ['cookie', 'cookie', true, { 'k;': 'a' }, 'a name that no cookie may have'],
  ['path', 'simple', false, { k: ['a'] }, 'a list in an object'],
  ['query', 'form', false, { k: { l: 'a' } }, 'an object in an object'],
  ['query', 'form', true, { k: { l: 'a' } }, 'an object in an object'],
  ['query', 'form', false, {}, 'an empty object'],
  ['path', 'simple', false, {}, 'an empty object'],
  ['header', 'simple', false, {}, 'an empty object'],
  ['query', 'deepObject', true, {}, 'an empty object'],
  ['query', 'deepObject', true, { k: {} }, 'an empty object in an object'],
  ['query', 'deepObject', true, { k: [] }, 'an empty list in an object'],
  ['query', 'deepObject', true, { '': 'a' }, 'an empty name'],
  ['query', 'deepObject', true, { 'k]': 'a' }, 'a name with a bracket'],
])('in %s, style %s, explode %p, %j cannot be sent: it has %s', (place, style, explode, value) => {
  expect(() => write({ in: place, style, explode }, value)).toThrow(
    new TypeError('x cannot be sent exactly'),
  );
});

test.each<Row>([
  ['query', 'form', true, [], undefined],
  ['header', 'simple', false, [], undefined],
  ['query', 'form', true, {}, undefined],
  ['query', 'form', true, { k: undefined, l: [] }, undefined],
  ['cookie', 'cookie', true, {}, undefined],
])('in %s, style %s, explode %p, nothing is sent for %j', (place, style, explode, value, sent) => {
  expect(write({ in: place, style, explode }, value)).toBe(sent);
});

/* What other clients write. */
test.each<Row>([
  ['query', 'form', true, "a/b?c:d@e!$'()*,;", "x=a/b?c:d@e!$'()*,;"],
  ['query', 'form', true, 'a b', 'x=a+b'],
  ['query', 'form', true, 'a', '%78=%61'],
  ['query', 'pipeDelimited', false, ['a', 'b'], 'x=a|b'],
  ['query', 'spaceDelimited', false, ['a', 'b'], 'x=a+b'],
  ['query', 'deepObject', true, { k: ['a', 'b'] }, 'x[k][]=a&x[k][]=b'],
  ['header', 'simple', false, ['a', 'b'], 'a ,  b'],
  ['cookie', 'form', false, '100%', 'y=1; x="100%"'],
])('in %s, style %s, explode %p, reads %j in %s', (place, style, explode, value, sent) => {
  expect(read({ in: place, style, explode }, shapeOf(value), sent)).toEqual(value);
});

describe('a path', () => {
  const sentTo = (template: string, values: Readonly<Record<string, unknown>>, style = 'simple') =>
    writePath(
      template,
      (name) => writeParameter({ name, in: 'path', style, explode: false }, values[name], textOf, refuse),
      refuse,
    );
  const readFrom = (template: string, path: string) => {
    const route = routeFinder([['get', { method: 'GET', path: template }]], '')(path);
    return (
      route &&
      Object.entries(paramsOf(route, 'GET', path)).map(([name, text]) => [name, decodeURIComponent(text)])
    );
  };

  test.each([
    ['/files/{name}.{ext}', { name: 'a', ext: 'c' }, '/files/a.c'],
    ['/files/{name}.{ext}', { name: 'a', ext: 'tar.gz' }, '/files/a.tar.gz'],
    ['/files/{name}.{ext}', { name: '.', ext: '..' }, '/files/....'],
    ['/{from},{to}', { from: '1,2', to: '3,4' }, '/1%2C2,3%2C4'],
    ['/{from}--{to}', { from: 'a-b', to: '--b' }, '/a-b----b'],
    ['/{a}to{b}', { a: 'ot', b: 'to' }, '/ottoto'],
    ['/v{major}.{minor}.{patch}', { major: '1', minor: '2', patch: '3-rc.1' }, '/v1.2.3-rc.1'],
    ['/{a}-{b}/{c}', { a: 'x', b: 'y', c: 'p-q/r' }, '/x-y/p-q%2Fr'],
    ['/{name}.json', { name: 'a.json' }, '/a.json.json'],
  ])('%s of %j is read as it was written', (template, values, path) => {
    expect(sentTo(template, values)).toBe(path);
    expect(readFrom(template, new URL(path, 'http://a').pathname)).toEqual(Object.entries(values));
  });

  test.each([
    // Some proxies decode what need not be encoded (RFC 3986 §6.2.2.2).
    ['/files/{name}.{ext}', { name: 'a.b', ext: 'c' }, 'name cannot be sent exactly'],
    ['/{from}--{to}', { from: 'a-', to: '-b' }, 'from cannot be sent exactly'],
    ['/{a}to{b}', { a: 'tomato', b: 'to' }, 'a cannot be sent exactly'],
    ['/{from},{to}', { from: ['1', '2'], to: '3' }, 'from cannot be sent exactly'],
    ['/{from} {to}', { from: 'a b', to: 'c' }, 'from cannot be sent exactly'],
    ['/{x}/a', { x: '..' }, 'x cannot be sent exactly'],
    ['/.{x}', { x: '.' }, 'x cannot be sent exactly'],
    ['/{x}', { x: '' }, 'x is missing'],
    ['/{x}', { x: [] }, 'x is missing'],
  ])('%s of %j cannot be sent', (template, values, why) => {
    expect(() => sentTo(template, values)).toThrow(new TypeError(why));
  });

  test.each(['', '.'])('a label of %j cannot be sent: a URL would lose it', (x) => {
    expect(() => sentTo('/{x}', { x }, 'label')).toThrow(new TypeError('x cannot be sent exactly'));
  });
});
