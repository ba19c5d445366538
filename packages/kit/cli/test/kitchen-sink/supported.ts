/*
 * What docs/supported.md lists, on supported.yaml: each row of the page is a feature here, and each cell what
 * any-contract.test.ts does with it. Rows have no generated types: it writes them into TypeScript, and compiles that.
 */
import { post, streamOf, type Row } from './table.ts';

const png = new Uint8Array([137, 80, 78, 71]);
const BYTES = '\x89PNG';
/** As a request of a row has it. */
const utf8 = (text: string) => Buffer.from(text).toString('latin1');
const place = { größe: 1, at: 'x' };
const item = { id: 7, note: null };
const pair = ['a', 'b'];
const NAME = 'gr%C3%B6%C3%9Fe';
const file = (name: string, type = 'application/octet-stream') => new File([png], name, { type });
const json = (target: string, value: unknown, type = 'application/json', method = 'POST') =>
  post(target, type, utf8(JSON.stringify(value)), method);
const put = (target: string, type: string, body: string) => post(target, type, body, 'PUT');
const multipart = (...parts: [name: string, value: string][]) =>
  post(
    '/multipart',
    'multipart/form-data; boundary=x',
    parts.map((part) => `--x\r\nContent-Disposition: form-data; name=${part.join('\r\n\r\n')}\r\n`).join('') +
      '--x--\r\n',
  );

type Rest = Partial<Omit<Row, 'contract' | 'feature' | 'operation'>>;

const done = { status: 204 };
const row = (feature: string, operation: string, rest: Rest): Row => ({
  contract: 'supported.yaml',
  feature,
  operation,
  answer: done,
  ...rest,
});

/** A parameter, with what is wrong in a request and in an input. */
function parameters(feature: string, place: 'path' | 'query' | 'headers' | 'cookies') {
  return (operation: string, input: object, sent: readonly string[], rest: Rest) =>
    row(feature, operation, { input, sent, received: { [place]: input }, ...rest });
}

const rejected = (...requests: string[]) => Object.fromEntries(requests.map((request) => [request, 400]));
const cookie = (target: string, text: string) => `GET ${target}\nCookie: ${text}`;
const header = (target: string, ...lines: string[]) => [`GET ${target}`, ...lines].join('\n');

const simple = parameters('Path, `simple`: value, list, object', 'path');
const label = parameters('Path, `label`: value, list', 'path');
const matrix = parameters('Path, `matrix`: value, list', 'path');
const form = parameters('Query, `form`: value, list, object', 'query');
const spaces = parameters('Query, `spaceDelimited`: list, object', 'query');
const pipes = parameters('Query, `pipeDelimited`: list, object', 'query');
const deep = parameters('Query, `deepObject`: object, list, objects in lists in objects', 'query');
const headers = parameters('Header, `simple`: value, list, object', 'headers');
const cookies = parameters('Cookie, `form`: value, list, object', 'cookies');
const cookieStyle = parameters('Cookie, `cookie`: value, list, object', 'cookies');

const inPath = { value: 7, list: ['a', 'b,c/é'], object: { größe: 1, at: 'x=y' } };
const twoInPath = { value: 7, list: ['a', 'b,c/é'] };
const inQuery = { value: 7, list: ['a', 'b,c&é'], object: { größe: 1, at: 'x=y' } };
const delimited = { list: ['a', 'b,c+é'], object: { größe: 1, at: 'x,y' } };
const inDeep = {
  deep: {
    größe: 1,
    list: [1, 2],
    inner: { list: ['a', 'b]c'] },
    lines: [{ n: 1, list: ['x'] }, { n: 2 }],
  },
};
const DEEP = `deep[${NAME}]=1&deep[list][]=1&deep[list][]=2&deep[inner][list][]=a&deep[inner][list][]=b]c&deep[lines][0][n]=1&deep[lines][0][list][]=x&deep[lines][1][n]=2`;
const inHeaders = { 'X-Value': 7, 'X-List': pair, 'X-Object': { n: 1, at: 'x%y' } };
const inCookies = { value: 7, list: ['a', 'b,c;é'], object: { größe: 1, at: 'x=y' } };
const plainCookies = { value: 7, list: pair, object: { n: 1, at: 'x=y' } };

const wrongInPath = [
  { ...inPath, value: 'x' },
  { ...inPath, list: [{}] },
  { ...inPath, object: { größe: 'x' } },
  { ...inPath, object: { at: 'x' } },
];
const wrongInQuery = [{ value: 'x' }, { list: [{}] }, { object: { größe: 'x' } }, { object: { at: 'x' } }];
const wrongDelimited = wrongInQuery.slice(1);

/** What the same schema describes in a request and in a response. */
function composition(
  feature: string,
  operation: string,
  values: readonly unknown[],
  wrong: readonly unknown[],
  { isFlat = false, untyped = [], ...rest }: Rest & { readonly isFlat?: boolean } = {},
): Row[] {
  const inputOf = (body: unknown) => (isFlat ? body : { body });
  return values.map((body, index) =>
    row(feature, operation, {
      input: inputOf(body),
      sent: [json(`/compositions/${operation}`, body)],
      received: { body },
      answer: { status: 200, body },
      ...(index === 0 && {
        wrong: wrong.map(inputOf),
        untyped: untyped.map(inputOf),
        breaks: wrong.map((body) => ({ status: 200, body })),
        rejects: Object.fromEntries(
          [...wrong, ...untyped].map((body) => [json(`/compositions/${operation}`, body), 400]),
        ),
      }),
      ...rest,
    }),
  );
}

export const rows: readonly Row[] = [
  simple('simple', inPath, [`GET /simple/7/a,b%2Cc%2F%C3%A9/${NAME},1,at,x%3Dy`], {
    rejects: rejected(
      `GET /simple/x/a/${NAME},1`,
      `GET /simple/101/a/${NAME},1`,
      `GET /simple/7/a,b,c,d/${NAME},1`,
      'GET /simple/7/a/at,x',
      `GET /simple/7/a/${NAME},1,other,2`,
    ),
    wrong: wrongInPath,
  }),
  simple('simpleExploded', inPath, [`GET /simple-exploded/7/a,b%2Cc%2F%C3%A9/${NAME}=1,at=x%3Dy`], {
    rejects: rejected(`GET /simple-exploded/7/a/${NAME}=x`, 'GET /simple-exploded/7/a/at=x'),
    wrong: wrongInPath,
  }),
  label('label', twoInPath, ['GET /label/.7/.a,b%2Cc%2F%C3%A9'], {
    rejects: rejected('GET /label/7/.a', 'GET /label/.x/.a', 'GET /label/.7/.a,b,c,d'),
    wrong: [
      { ...twoInPath, value: 'x' },
      { ...twoInPath, list: [{}] },
    ],
  }),
  label('labelExploded', twoInPath, ['GET /label-exploded/.7/.a.b%2Cc%2F%C3%A9'], {
    rejects: rejected('GET /label-exploded/.7/a', 'GET /label-exploded/.7/.a.b.c.d'),
    wrong: [{ ...twoInPath, value: 'x' }],
    refuses: { 'list cannot be sent exactly': { value: 7, list: ['a.b'] } },
    limits: { client: 'no `.` in items of an exploded list' },
  }),
  matrix('matrix', twoInPath, ['GET /matrix/;value=7/;list=a,b%2Cc%2F%C3%A9'], {
    rejects: rejected(
      'GET /matrix/7/;list=a',
      'GET /matrix/;value=x/;list=a',
      'GET /matrix/;value=7/;other=a',
    ),
    wrong: [
      { ...twoInPath, value: 'x' },
      { ...twoInPath, list: [{}] },
    ],
  }),
  matrix('matrixExploded', twoInPath, ['GET /matrix-exploded/;value=7/;list=a;list=b%2Cc%2F%C3%A9'], {
    rejects: rejected('GET /matrix-exploded/;value=7/;list=a;other=b'),
    wrong: [{ ...twoInPath, value: 'x' }],
  }),
  form('form', inQuery, [`GET /form?value=7&list=a,b%2Cc%26%C3%A9&object=${NAME},1,at,x%3Dy`], {
    rejects: rejected(
      'GET /form?value=x',
      'GET /form?list=a,b,c,d',
      'GET /form?object=at,x',
      `GET /form?object=${NAME},x`,
      'GET /form?other=1',
    ),
    wrong: wrongInQuery,
    refuses: { 'object cannot be sent exactly': { object: {} } },
  }),
  form('formExploded', inQuery, [`GET /form-exploded?value=7&list=a&list=b,c%26%C3%A9&${NAME}=1&at=x=y`], {
    rejects: rejected(
      'GET /form-exploded?at=x',
      `GET /form-exploded?${NAME}=x`,
      'GET /form-exploded?other=1',
    ),
    wrong: wrongInQuery,
  }),
  form('formExploded', { list: [] }, ['GET /form-exploded'], { received: { query: {} } }),
  spaces(
    'spaceDelimited',
    delimited,
    [
      `GET /spaceDelimited?list=a%20b,c%2B%C3%A9&object=${NAME}%201%20at%20x,y`,
      `GET /spaceDelimited?list=a+b,c%2B%C3%A9&object=${NAME}+1+at+x%2Cy`,
    ],
    {
      rejects: rejected('GET /spaceDelimited?list=a+b+c+d', 'GET /spaceDelimited?object=at+x'),
      wrong: wrongDelimited,
      refuses: {
        'list cannot be sent exactly': { list: ['a b'] },
        'object cannot': { object: { größe: 1, at: 'a b' } },
      },
      limits: { client: 'no spaces in items, unless exploded' },
    },
  ),
  spaces(
    'spaceDelimitedExploded',
    delimited,
    [`GET /spaceDelimited-exploded?list=a&list=b,c%2B%C3%A9&object=${NAME}=1&object=at=x,y`],
    { wrong: wrongDelimited, rejects: rejected('GET /spaceDelimited-exploded?object=at=x') },
  ),
  pipes(
    'pipeDelimited',
    delimited,
    [
      `GET /pipeDelimited?list=a|b,c%2B%C3%A9&object=${NAME}|1|at|x,y`,
      `GET /pipeDelimited?list=a%7Cb,c%2B%C3%A9&object=${NAME}%7c1%7Cat%7Cx,y`,
    ],
    {
      rejects: rejected('GET /pipeDelimited?list=a|b|c|d', 'GET /pipeDelimited?object=at|x'),
      wrong: wrongDelimited,
      refuses: {
        'list cannot be sent exactly': { list: ['a|b'] },
        'object cannot': { object: { größe: 1, at: 'a|b' } },
      },
      limits: { client: 'no `|` in items, unless exploded' },
    },
  ),
  pipes(
    'pipeDelimitedExploded',
    delimited,
    [`GET /pipeDelimited-exploded?list=a&list=b,c%2B%C3%A9&object=${NAME}=1&object=at=x,y`],
    { wrong: wrongDelimited, rejects: rejected('GET /pipeDelimited-exploded?object=at=x') },
  ),
  deep('deepObject', inDeep, [`GET /deepObject?${DEEP}`], {
    rejects: rejected(
      `GET /deepObject?deep[${NAME}]=x`,
      'GET /deepObject?deep[list][]=x',
      'GET /deepObject?deep[inner][list][]=a&deep[inner][list][]=b&deep[inner][list][]=c&deep[inner][list][]=d',
      'GET /deepObject?deep[lines][0][list][]=a',
      'GET /deepObject?deep=1',
    ),
    wrong: [{ deep: { größe: 'x' } }, { deep: { lines: [{}] } }, { deep: { inner: { list: [{ a: 1 }] } } }],
    refuses: {
      'deep cannot be sent exactly': { deep: {} },
      'deep cannot be sent': { deep: { list: [] } },
      'deep cannot be': { deep: { lines: [{ n: 1, list: [] }] } },
    },
    limits: { client: 'no empty objects, nor empty lists in objects' },
  }),
  deep(
    'deepObjectLists',
    { list: pair, lines: [{ n: 1 }, { n: 2, list: ['é'] }] },
    ['GET /deepObject-lists?list[]=a&list[]=b&lines[0][n]=1&lines[1][n]=2&lines[1][list][]=%C3%A9'],
    {
      rejects: rejected('GET /deepObject-lists?lines[0][list][]=a', 'GET /deepObject-lists?lines[0][n]=x'),
      wrong: [{ lines: [{ n: 'x' }] }],
    },
  ),
  headers('headers', inHeaders, [header('/headers', 'X-Value: 7', 'X-List: a, b', 'X-Object: n,1,at,x%y')], {
    rejects: rejected(
      header('/headers', 'X-Value: x'),
      header('/headers', 'X-List: a,b,c,d'),
      header('/headers', 'X-Object: n,x'),
    ),
    wrong: [{ 'X-Value': 'x' }, { 'X-List': [{}] }, { 'X-Object': { n: 'x' } }],
    refuses: {
      'X-List cannot be sent exactly': { 'X-List': ['a,b'] },
      'X-List cannot be sent': { 'X-List': ['é'] },
      'X-Object cannot be sent exactly': { 'X-Object': { at: 'é' } },
    },
    limits: { client: 'ASCII, and no commas in items' },
  }),
  headers(
    'headersExploded',
    inHeaders,
    [header('/headers-exploded', 'X-Value: 7', 'X-List: a,b', 'X-Object: n=1,at=x%y')],
    { rejects: rejected(header('/headers-exploded', 'X-Object: n=x')), wrong: [{ 'X-Object': { n: 'x' } }] },
  ),
  cookies(
    'cookies',
    inCookies,
    [cookie('/cookies', `value=7; list=a,b%2Cc%3B%C3%A9; object=${NAME},1,at,x%3Dy`)],
    {
      rejects: rejected(
        cookie('/cookies', 'value=x'),
        cookie('/cookies', 'list=a,b,c,d'),
        cookie('/cookies', 'object=at,x'),
      ),
      wrong: wrongInQuery,
    },
  ),
  cookies(
    'cookiesExploded',
    inCookies,
    [cookie('/cookies-exploded', `value=7; list=a,b%2Cc%3B%C3%A9; object=${NAME}=1,at=x%3Dy`)],
    { rejects: rejected(cookie('/cookies-exploded', 'object=at=x')), wrong: wrongInQuery },
  ),
  cookieStyle(
    'cookieStyle',
    plainCookies,
    [cookie('/cookie-style', 'value=7; list=a,b; object=n,1,at,x=y')],
    {
      rejects: rejected(cookie('/cookie-style', 'value=x'), cookie('/cookie-style', 'object=n,x')),
      wrong: [{ value: 'x' }, { object: { n: 'x' } }],
      refuses: { 'list cannot be sent exactly': { list: ['é'] }, 'list cannot': { list: ['a;b'] } },
      limits: { client: 'no spaces, quotes, commas, semicolons and backslashes; ASCII' },
    },
  ),
  cookieStyle(
    'cookieStyleExploded',
    plainCookies,
    [cookie('/cookie-style-exploded', 'value=7; list=a; list=b; n=1; at=x=y')],
    {
      rejects: rejected(cookie('/cookie-style-exploded', 'n=x')),
      wrong: [{ value: 'x' }, { object: { n: 'x' } }],
    },
  ),
  row('`content` in JSON, in a path, a query, a header, a cookie', 'content', {
    input: {
      inPath: place,
      inQuery: ['a', 'é"'],
      'X-Header': { größe: 2, at: 'ä' },
      inCookie: { größe: 3, at: ';' },
    },
    sent: [
      `GET /content/%7B%22${NAME}%22%3A1,%22at%22:%22x%22%7D?inQuery=%5B%22a%22,%22%C3%A9%5C%22%22%5D\nX-Header: {"gr\\u00f6\\u00dfe":2,"at":"\\u00e4"}\nCookie: inCookie=%7B%22${NAME}%22:3,%22at%22:%22%3B%22%7D`,
    ],
    received: {
      path: { inPath: place },
      query: { inQuery: ['a', 'é"'] },
      headers: { 'X-Header': { größe: 2, at: 'ä' } },
      cookies: { inCookie: { größe: 3, at: ';' } },
    },
    rejects: rejected(
      'GET /content/1',
      `GET /content/%7B%22${NAME}%22:1%7D?inQuery=a`,
      header(`/content/%7B%22${NAME}%22:1%7D`, 'X-Header: {}'),
    ),
    wrong: [
      { inPath: { at: 'x' } },
      { inPath: place, inQuery: [1] },
      { inPath: place, 'X-Header': {} },
      { inPath: place, inCookie: { größe: 'x' } },
    ],
  }),

  row('Body in JSON', 'json', {
    input: item,
    sent: [json('/json', item), json('/json', item, 'application/json; charset=utf-8')],
    received: { body: item },
    answer: { status: 200, body: item },
    rejects: {
      [json('/json', { id: 'x' })]: 400,
      [post('/json', 'application/json', '{')]: 400,
      [put('/json', 'text/plain', '')]: 405,
      [post('/json', 'text/plain', '{"id":1}')]: 415,
      'POST /json': 400,
    },
    wrong: [{ id: 'x' }, { note: 'x' }],
    breaks: [{ status: 200, body: { id: 'x' } }],
  }),
  row('Body in a type that ends in `+json`', 'jsonSuffix', {
    input: item,
    sent: [json('/json-suffix', item, 'application/merge-patch+json', 'PATCH')],
    received: { body: item },
    answer: { status: 200, body: item },
    rejects: {
      [json('/json-suffix', item, 'application/json', 'PATCH')]: 415,
      [json('/json-suffix', {}, 'application/merge-patch+json', 'PATCH')]: 400,
    },
    wrong: [{ id: 'x' }],
    breaks: [{ status: 200, body: { id: 'x' } }],
  }),
  row('Form in a URL', 'urlencoded', {
    input: { body: { id: 7, words: ['a', 'é&'], place, places: [place, { größe: 2 }], note: null } },
    sent: [
      post(
        '/urlencoded',
        'application/x-www-form-urlencoded',
        `id=7&words=a&words=%C3%A9%26&place={"${NAME}":1,"at":"x"}&places={"${NAME}":1,"at":"x"}&places={"${NAME}":2}&note=`,
      ),
      post(
        '/urlencoded',
        'application/x-www-form-urlencoded',
        `id=7&words=a&words=%C3%A9%26&place={"${NAME}":1,"at":"x"}&places=[{"${NAME}":1,"at":"x"},{"${NAME}":2}]&note=`,
      ),
    ],
    received: { body: { id: 7, words: ['a', 'é&'], place, places: [place, { größe: 2 }], note: null } },
    rejects: rejected(
      post('/urlencoded', 'application/x-www-form-urlencoded', 'id=x'),
      post('/urlencoded', 'application/x-www-form-urlencoded', 'id=7&place={}'),
      post('/urlencoded', 'application/x-www-form-urlencoded', 'id=7&place={'),
      post('/urlencoded', 'application/x-www-form-urlencoded', ''),
    ),
    wrong: [{ body: { id: 'x' } }, { body: { id: 7, place: { at: 'x' } } }, { body: { words: ['a'] } }],
  }),
  row('Form in a URL', 'urlencoded', {
    input: { body: { id: 7 } },
    sent: [post('/urlencoded', 'application/x-www-form-urlencoded', 'id=7')],
    received: { body: { id: 7 } },
  }),
  row('Form in a URL', 'conditionalForm', {
    input: { body: { kind: 'a', count: 3 } },
    sent: [post('/conditional-form', 'application/x-www-form-urlencoded', 'kind=a&count=3')],
    received: { body: { kind: 'a', count: 3 } },
    rejects: rejected(post('/conditional-form', 'application/x-www-form-urlencoded', 'kind=a&count=x')),
    wrong: [{ body: { count: 3 } }],
  }),
  row('Form in a URL, with styles', 'urlencodedStyles', {
    input: { body: { id: 7, words: ['a', 'é&'], place } },
    sent: [
      post(
        '/urlencoded-styles',
        'application/x-www-form-urlencoded',
        `id=7&words=a|%C3%A9%26&place[${NAME}]=1&place[at]=x`,
      ),
    ],
    received: { body: { id: 7, words: ['a', 'é&'], place } },
    rejects: rejected(post('/urlencoded-styles', 'application/x-www-form-urlencoded', 'id=7&place[at]=x')),
    wrong: [{ body: { id: 7, place: { at: 'x' } } }],
    refuses: { 'words cannot be sent exactly': { body: { id: 7, words: ['a|b'] } } },
    limits: { client: 'as the style in a query' },
  }),
  row('Form with files', 'multipart', {
    input: {
      body: {
        id: 7,
        file: file('é.png', 'image/png'),
        files: [png, png],
        words: ['a', 'é'],
        place,
        places: [place],
        note: null,
      },
    },
    sent: [
      multipart(
        ['id', '7'],
        [utf8('file; filename=é.png\r\nContent-Type: image/png'), BYTES],
        ['files; filename=files\r\nContent-Type: application/octet-stream', BYTES],
        ['files; filename=files\r\nContent-Type: application/octet-stream', BYTES],
        ['words', 'a'],
        ['words', utf8('é')],
        ['place\r\nContent-Type: application/json', utf8(JSON.stringify(place))],
        ['places', utf8(JSON.stringify(place))],
        ['note', ''],
      ),
    ],
    received: {
      body: {
        id: 7,
        file: file('é.png', 'image/png'),
        files: [file('files'), file('files')],
        words: ['a', 'é'],
        place,
        places: [place],
        note: null,
      },
    },
    rejects: rejected(
      multipart(['id', '7']),
      multipart(['id', 'x'], ['file; filename=a', 'x']),
      multipart(['id', '7'], ['file; filename=a', 'x'], ['place', '{}']),
    ),
    wrong: [{ body: { id: 7 } }, { body: { id: 'x', file: png } }, { body: { id: 7, file: png, place: {} } }],
  }),
  row('Form with files', 'multipart', {
    input: { body: { id: 7, file: new Blob([png]) } },
    sent: [multipart(['id', '7'], ['file; filename=file\r\nContent-Type: application/octet-stream', BYTES])],
    received: { body: { id: 7, file: file('file') } },
  }),
  row('Text', 'text', {
    input: { body: 'é "a"' },
    sent: [
      put('/text', 'text/plain', utf8('é "a"')),
      put('/text', 'text/plain; charset=utf-8', utf8('é "a"')),
    ],
    received: { body: 'é "a"' },
    answer: { status: 200, body: 'ü' },
    rejects: { [put('/text', 'text/plain', 'more than ten')]: 400, [put('/text', 'text/csv', 'a')]: 415 },
    wrong: [{ body: { a: 1 } }],
  }),
  row('Text of a number or a boolean', 'textNumber', {
    input: { body: 2.5 },
    sent: [put('/text-number', 'text/plain', '2.5')],
    received: { body: 2.5 },
    answer: { status: 200, body: -0.5 },
    rejects: rejected(
      put('/text-number', 'text/plain', '11'),
      put('/text-number', 'text/plain', 'x'),
      put('/text-number', 'text/plain', ''),
    ),
    wrong: [{ body: 'x' }],
    breaks: [{ status: 200, body: 'x' }],
  }),
  row('Text of a number or a boolean', 'textBoolean', {
    input: { body: false },
    sent: [put('/text-boolean', 'text/plain', 'false')],
    received: { body: false },
    answer: { status: 200, body: true },
    rejects: rejected(put('/text-boolean', 'text/plain', 'no')),
    wrong: [{ body: 'x' }],
    breaks: [{ status: 200, body: 'no' }],
  }),
  row('XML, as text', 'xml', {
    input: { body: '<item id="7">é</item>' },
    sent: [post('/xml', 'application/xml', utf8('<item id="7">é</item>'))],
    received: { body: '<item id="7">é</item>' },
    answer: { status: 200, body: '<item/>' },
    rejects: { [post('/xml', 'text/plain', '<item/>')]: 415 },
    wrong: [{ body: { id: 7 } }],
  }),
  row('Bytes', 'bytes', {
    input: { body: png },
    sent: [put('/bytes', 'application/octet-stream', BYTES)],
    received: { body: file('') },
    answer: { status: 200, body: png },
    rejects: { [put('/bytes', 'image/png', BYTES)]: 415 },
    wrong: [{ body: 3 }],
  }),
  row('Bytes', 'image', {
    input: { body: file('é.png', 'image/png') },
    sent: [put('/image', `image/png\nContent-Disposition: attachment; filename*=UTF-8''%C3%A9.png`, BYTES)],
    received: { body: file('é.png', 'image/png') },
    answer: { status: 200, body: file('b.png', 'image/png') },
    data: png,
    rejects: { [put('/image', 'image/gif', BYTES)]: 415 },
    wrong: [{ body: 3 }],
  }),
  row('A range of types, of bytes', 'images', {
    input: { body: new Blob([png], { type: 'image/gif' }) },
    sent: [put('/images', 'image/gif', BYTES)],
    received: { body: file('', 'image/gif') },
    answer: { status: 200, headers: { 'Content-Type': 'image/gif' }, body: png },
    rejects: { [put('/images', 'text/plain', 'a')]: 415 },
    wrong: [{ body: 3 }],
  }),
  row('A range of types, of values', 'any', {
    input: item,
    sent: [
      json('/any', item, 'application/json', 'PUT'),
      put('/any', 'application/x-www-form-urlencoded', 'id=7&note='),
    ],
    received: { body: item },
    answer: { status: 200, body: item },
    rejects: rejected(
      json('/any', {}, 'application/json', 'PUT'),
      put('/any', 'application/x-www-form-urlencoded', 'id=x'),
    ),
    wrong: [{ id: 'x' }],
    breaks: [{ status: 200, body: { id: 'x' } }],
  }),
  row('Several types', 'several', {
    input: item,
    sent: [json('/several', item), post('/several', 'application/x-www-form-urlencoded', 'id=7&note=')],
    received: { body: item },
    answer: { status: 200, headers: { 'Content-Type': 'text/csv' }, body: 'id\n7\n' },
    data: 'id\n7\n',
    isNoTool: true,
    rejects: {
      [post('/several', 'application/x-www-form-urlencoded', 'id=x')]: 400,
      [post('/several', 'text/csv', 'id')]: 415,
    },
    wrong: [{ id: 'x' }],
    breaks: [{ status: 200, body: { id: 'x' } }],
  }),
  row('Several types', 'several', { input: item, answer: { status: 200, body: item } }),
  row('A body that may be missing', 'optional', {
    input: {},
    sent: ['POST /optional'],
    received: { body: undefined },
    rejects: rejected(json('/optional', {})),
    wrong: [{ body: { id: 'x' } }],
  }),
  row('A body that may be missing', 'optional', {
    input: { body: item },
    sent: [json('/optional', item)],
    received: { body: item },
  }),
  row('No body', 'nothing', {
    input: {},
    sent: ['POST /nothing'],
    received: { body: undefined },
    rejects: { 'POST /nothing?a=1': 400 },
  }),

  row('Response headers: value, int64, list, JSON', 'responseHeaders', {
    input: {},
    sent: ['GET /response-headers'],
    answer: {
      status: 200,
      headers: { 'X-Count': 1, 'X-Big': 9007199254740991, 'X-Words': pair, 'X-Place': place },
      body: true,
    },
    headers: { 'X-Count': 1, 'X-Big': 9007199254740991, 'X-Words': pair, 'X-Place': place },
    breaks: [
      { status: 200, body: true },
      { status: 200, headers: { 'X-Count': 'x' }, body: true },
      { status: 200, headers: { 'X-Count': 1, 'X-Place': { at: 'x' } }, body: true },
    ],
  }),
  row('Stream of server-sent events', 'events', {
    input: {},
    sent: ['GET /events'],
    rejects: rejected('GET /events?a=1'),
    answer: {
      status: 200,
      body: streamOf([
        { id: '1', event: 'added', data: item },
        { event: 'removed', data: { id: 8, note: 'é\n' } },
      ]),
    },
  }),
  row('Stream of JSON on lines', 'lines', {
    input: {},
    sent: ['GET /lines'],
    rejects: rejected('GET /lines?a=1'),
    answer: { status: 200, body: streamOf([item, { id: 8, note: 'é\n' }]) },
  }),
  row('Stream of JSON on lines', 'linesNewer', {
    input: {},
    sent: ['GET /lines-newer'],
    answer: { status: 200, body: streamOf([item]) },
  }),
  row('Several statuses', 'statuses', {
    input: {},
    sent: ['GET /statuses'],
    answer: { status: 202, body: 5 },
    breaks: [
      { status: 202, body: item },
      { status: 200, body: 5 },
    ],
  }),
  row('Several statuses', 'statuses', {
    input: {},
    answer: { status: 409, body: { code: 'busy', message: 'é', status: 409 } },
    fails: { name: 'ApiError', status: 409, code: 'busy', message: 'statuses: 409 busy: é' },
  }),
  row('A range of statuses', 'statusRange', {
    input: {},
    sent: ['GET /status-range'],
    answer: { status: 206, body: item },
    breaks: [{ status: 206, body: {} }],
  }),
  row('HEAD', 'head', {
    input: {},
    sent: ['HEAD /head'],
    rejects: { 'GET /head': 405 },
    answer: { status: 200, body: item },
    data: undefined,
  }),

  ...composition(
    '`allOf`',
    'allOf',
    [{ id: 7, name: 'é' }],
    [{ id: 7 }, { name: 'a' }, { id: 'x', name: 'a' }],
  ),
  ...composition('`oneOf`', 'oneOf', [3, ['a'], [], item, null], ['x', [1], { note: 'a' }]),
  ...composition(
    '`oneOf` with a `discriminator` and `mapping`',
    'tagged',
    [{ kind: 'cat', lives: 9 }, { kind: 'hound', barks: true }, null],
    [{ kind: 'cat', lives: 'x' }, { kind: 'hound', barks: 1 }, { kind: 'Dog' }, {}],
  ),
  ...composition(
    '`anyOf`',
    'anyOf',
    [{ mail: 'a' }, { phone: 1 }, { mail: 'a', phone: 1 }],
    [{}, { phone: 'x' }],
  ),
  ...composition(
    '`discriminator` of a base that others extend by `allOf`',
    'base',
    [
      { sort: 'round', radius: 1.5 },
      { sort: 'Square', inside: [{ sort: 'round', radius: 1 }] },
    ],
    [{ sort: 'none' }, { sort: 'Square', inside: [{ sort: 'none' }] }, {}],
    { untyped: [{ sort: 'round' }], limits: { types: 'what extends it only adds optional fields' } },
  ),
  ...composition('`not`', 'not', [{ id: 7 }], [{ id: 'x' }], {
    isFlat: true,
    untyped: [{ id: 7, secret: 1 }],
    limits: { types: 'ignored' },
  }),
  ...composition(
    '`if`, `then`, `else`',
    'ifThenElse',
    [{ kind: 'home', street: 'a', floor: 1 }, { kind: 'away' }],
    [{ kind: 'other' }],
    {
      untyped: [{ kind: 'home' }, { kind: 'away', street: 'a' }, { kind: 'home', street: 'a', floor: 'x' }],
      limits: { types: 'fields that only these describe are unknown' },
    },
  ),
  ...composition(
    '`if`, `then`, `else`',
    'partIfThen',
    [
      { id: 7, more: 1 },
      { id: 8, more: 'x' },
    ],
    [{ id: 'x' }],
    { untyped: [{ id: 7, more: 'x' }], limits: { types: 'fields that only these describe are unknown' } },
  ),
  ...composition(
    '`const`',
    'constant',
    [{ kind: 'item', level: 3, none: null }],
    [{ kind: 'x' }, { kind: 'item', level: 4 }, { kind: 'item', none: 1 }],
    { isFlat: true },
  ),
  ...composition('`enum`, of any values', 'enum', [['a', 1, true, null], []], [['b'], ['1'], [false]]),
  ...composition('`prefixItems` with `items: false`', 'tuple', [[1, 'a']], [[1, 'a', 2], ['a', 1], [1]]),
  ...composition(
    '`prefixItems` with `unevaluatedItems`',
    'openTuple',
    [['a', 1, 2], ['a'], []],
    [['a', 'b'], [1]],
  ),
  ...composition('`contains`, `uniqueItems`', 'contains', [['x', 'a']], [[1]], {
    untyped: [[], ['x', 'x'], ['a']],
    limits: { types: 'ignored' },
  }),
  ...composition('`additionalProperties: false`', 'closed', [{ id: 7 }, {}], [{ id: 7, other: 1 }], {
    isFlat: true,
  }),
  ...composition(
    '`additionalProperties` of a schema',
    'map',
    [{ é: [item], '': [] }, {}],
    [{ a: [{}] }, { a: item }],
  ),
  ...composition(
    '`additionalProperties` of a schema, beside `properties`',
    'additional',
    [{ id: 7, größe: 1 }],
    [{ other: 1 }],
    { untyped: [{ id: 7, other: 'x' }], limits: { types: 'other fields are unknown' } },
  ),
  ...composition('`patternProperties`', 'pattern', [{ id: 'a', 'n-1': 2 }], [{ id: 1 }], {
    untyped: [{ 'n-1': 'x' }, { other: 1 }],
    limits: { types: 'other fields are unknown' },
  }),
  ...composition('`propertyNames`', 'names', [{ é: 1 }], [{ é: 'x' }], {
    untyped: [{ A: 1 }],
    limits: { types: 'ignored' },
  }),
  ...composition(
    '`unevaluatedProperties` of a schema',
    'unevaluated',
    [{ ...item, größe: 1 }],
    [{ more: 1 }],
    { untyped: [{ ...item, more: 'x' }], limits: { types: 'other fields are unknown' } },
  ),
  ...composition(
    '`unevaluatedProperties: false`',
    'sealed',
    [{ ...item, name: 'a' }],
    [{ ...item, more: 'x' }],
  ),
  ...composition(
    'Recursion: in an object, a list, a map',
    'recursive',
    [
      {
        name: 'a',
        parent: { name: 'b', parent: null },
        children: [{ name: 'c', children: [] }],
        by: { é: { name: 'd', by: {} } },
      },
    ],
    [
      { name: 'a', parent: {} },
      { name: 'a', by: { x: { name: 1 } } },
    ],
    { isFlat: true },
  ),
  ...composition(
    '`null` among types',
    'nullable',
    [
      { id: null, inner: null, list: null },
      { id: 7, inner: item, list: ['a', null] },
    ],
    [{ id: 'x' }, { id: 7, inner: { id: 'x' } }, { id: 7, list: [1] }, {}],
    { isFlat: true },
  ),
  ...composition(
    '`dependentRequired`',
    'dependentRequired',
    [{ card: 'a', address: 'b' }, {}],
    [{ card: 1 }],
    { isFlat: true, untyped: [{ card: 'a' }], limits: { types: 'ignored' } },
  ),
  ...composition('`dependentSchemas`', 'dependentSchemas', [{ card: 'a', limit: 1 }, {}], [{ card: 1 }], {
    untyped: [{ card: 'a' }, { card: 'a', limit: 'x' }],
    limits: { types: 'fields that only these describe are unknown' },
  }),
  ...composition(
    'Keywords beside `$ref`',
    'siblings',
    [{ ...item, name: 'a' }],
    [item, { ...item, name: 1 }],
  ),
  row('`readOnly`, `writeOnly`', 'direction', {
    input: { secret: 'a', name: 'b' },
    sent: [json('/compositions/direction', { secret: 'a', name: 'b' })],
    received: { body: { secret: 'a', name: 'b' } },
    answer: { status: 200, body: { id: 7, name: 'b' } },
    rejects: rejected(json('/compositions/direction', { id: 7, secret: 'a', name: 'b' })),
    wrong: [{ id: 7, secret: 'a', name: 'b' }, { name: 'b' }],
    breaks: [
      { status: 200, body: { id: 7, secret: 'a', name: 'b' } },
      { status: 200, body: { name: 'b' } },
    ],
  }),
  row('`default`', 'defaults', {
    input: { inner: {} },
    sent: [json('/compositions/defaults', { inner: {} })],
    received: { body: { size: 3, inner: { on: true } } },
    answer: { status: 200, body: { size: 3 } },
    rejects: rejected(json('/compositions/defaults', { size: null })),
    wrong: [{ size: null }, { inner: { on: 1 } }],
    breaks: [{ status: 200, body: {} }],
  }),
  ...composition(
    '`int64`, `int32`, `multipleOf`',
    'numbers',
    [{ big: 9007199254740991, small: -2147483648, cents: 1070468.14 }],
    [{ big: 'x' }, { small: 'x' }, { cents: 'x' }],
    {
      isFlat: true,
      rejects: rejected(
        json('/compositions/numbers', { small: 2147483648 }),
        json('/compositions/numbers', { cents: 0.005 }),
        json('/compositions/numbers', { cents: 0 }),
        post('/compositions/numbers', 'application/json', '{"big":9007199254740993}'),
      ),
      refuses: { 'big cannot be sent exactly': { big: 2 ** 53 } },
      limits: { client: 'in JSON within ±(2^53−1)' },
    },
  ),
];

const FINE = "responses: { '204': { description: Done. } }";
const withParameter = (parameter: string) => `{ parameters: [{ ${parameter} }], ${FINE} }`;
const withBody = (content: string) => `{ requestBody: { content: ${content} }, ${FINE} }`;
const OBJECT = '{ type: object, properties: { a: { type: string } } }';

/** Rows that are refused: an operation that has what the row says, and why it is refused. */
export const refused: readonly {
  readonly feature: string;
  readonly operation: string;
  readonly why: string;
}[] = [
  ...['label', 'matrix'].map((style) => ({
    feature: 'Path, `label` or `matrix`: object',
    operation: withParameter(`name: id, in: path, required: true, style: ${style}, schema: ${OBJECT}`),
    why: 'objects in the styles `label` and `matrix`',
  })),
  {
    feature: 'List of objects, in a style but `deepObject`',
    operation: withParameter(`name: all, in: query, schema: { type: array, items: ${OBJECT} }`),
    why: 'lists of objects',
  },
  {
    feature: '`in: querystring`',
    operation: withParameter(
      `name: all, in: querystring, content: { application/json: { schema: ${OBJECT} } }`,
    ),
    why: 'in: querystring',
  },
  {
    feature: 'Stream in a request',
    operation: withBody('{ application/jsonl: { itemSchema: { type: integer } } }'),
    why: 'streams in requests',
  },
  {
    feature: 'Response header: object, but in JSON',
    operation: `{ responses: { '204': { description: Done., headers: { X-A: { schema: ${OBJECT} } } } } }`,
    why: 'headers that are objects',
  },
];
