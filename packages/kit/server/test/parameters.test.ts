import { numbered, sharedService } from './library/service.ts';
import { askRaw, type RawRequest } from './support/raw.ts';

/* What the contract may say of parameters, tried on findBooks, which has one of each kind. */

let input: { query: object; headers: object };

const service = sharedService({
  handlers: {
    findBooks(given: typeof input) {
      input = given;
      return { status: 200, headers: { 'X-Total': 0 }, body: [] };
    },
  },
});

type Header = readonly [name: string, value: string];

const ask = (request: RawRequest) =>
  askRaw(service.origin, {
    ...request,
    headers: [['Authorization', `Bearer ${service.ownKey}`], ...request.headers],
  });

/** The values that the handler receives, or the status and the message that the request is refused with. */
async function received(search: string, headers: readonly Header[] = []): Promise<unknown> {
  const response = await ask({ method: 'GET', target: `/v1/books${search}`, headers });
  return response.status === 200 ? { ...input.query, ...input.headers } : refusal(response);
}

async function refusal(response: Response): Promise<unknown> {
  return [response.status, ((await response.json()) as { message: string }).message];
}

const DEFAULTS = { limit: 20, after: 0n, lost: false, 'X-Depth': 1 };

test.each(['', '?&'])(
  'what is not sent is absent, or has the default of the contract: %j',
  async (search) => {
    expect(await received(search)).toEqual(DEFAULTS);
  },
);

test.each([
  ['?kind=poem', { kind: 'poem' }],
  ['?name=a%26b', { name: 'a&b' }],
  ['?name=a+b', { name: 'a b' }],
  ["?name=:'@", { name: ":'@" }],
  ['?limit=100', { limit: 100 }],
  ['?minPrice=1.5e-7', { minPrice: 1.5e-7 }],
  ['?lost=true', { lost: true }],
  ['?published=2026-11-22', { published: '2026-11-22' }],
  ['?since=2026-11-22T12:00:00%2B02:00', { since: '2026-11-22T12:00:00+02:00' }],
  ['?age=', { age: null }],
  ['?age', { age: null }],
  ['?after=-9223372036854775808', { after: -9223372036854775808n }],
  ['?%61fter=9007199254740993', { after: 9007199254740993n }],
  ['?tag=', { tag: [''] }],
  ['?tag=a,b&tag=c', { tag: ['a,b', 'c'] }],
  ['?book=9007199254740993&book=9007199254740992', { book: [9007199254740993n, 9007199254740992n] }],
  ['?word=a,b%2Cc,', { word: ['a', 'b,c', ''] }],
])('%s is read exactly', async (search, values) => {
  expect(await received(search)).toEqual({ ...DEFAULTS, ...values });
});

test.each([
  ['?page=2', "Unknown query parameter 'page'."],
  ['?Kind=poem', "Unknown query parameter 'Kind'."],
  ['?[kind]=poem', "Unknown query parameter '[kind]'."],
  ['?kind[]=poem', "Unknown query parameter 'kind[]'."],
  ['?tag[0]=a', "Unknown query parameter 'tag[0]'."],
  ['?a[__proto__]=1', "Unknown query parameter 'a[__proto__]'."],
  ['?__proto__=1', "Unknown query parameter '__proto__'."],
  ['?=1', "Unknown query parameter ''."],
  ['?kind=song', 'kind must be equal to one of the allowed values: novel, poem, play.'],
  ['?kind=poem&kind=poem', 'kind is sent twice.'],
  ['?color=black&color=white', 'color is sent twice.'],
  ['?name=', 'name must NOT have fewer than 1 characters.'],
  [`?name=${'a'.repeat(65)}`, 'name must NOT have more than 64 characters.'],
  ['?name=%', 'The query is not percent-encoded correctly (RFC 3986 §2.1).'],
  ['?limit=101', 'limit must be <= 100.'],
  ['?limit=01', 'limit must be integer.'],
  ['?limit=1e1', 'limit must be integer.'],
  ['?limit=9007199254740993', 'limit must be integer.'],
  ['?limit=', 'limit must be integer.'],
  ['?minPrice=0x10', 'minPrice must be number.'],
  ['?minPrice=1e999', 'minPrice must be number.'],
  ['?minPrice=9007199254740993', 'minPrice must be number.'],
  ['?lost=1', 'lost must be boolean.'],
  ['?published=2026-13-01', 'published must match format "date".'],
  ['?since=2026-11-22T12:00:00%2B02', 'since must match format "date-time".'],
  ['?age=null', 'age must be integer.'],
  ['?after=01', 'after must be a 64-bit decimal integer.'],
  ['?after=9223372036854775808', 'after must be a 64-bit decimal integer.'],
  ['?size=1,01', 'size must be a 64-bit decimal integer.'],
  ['?color=red,red', 'color must NOT have duplicate items (items ## 1 and 0 are identical).'],
  ['?color=red,blue', 'color must be equal to one of the allowed values: black, white, red.'],
  ['?color=black,white,red', 'color must NOT have more than 2 items.'],
])('%s is refused', async (search, message) => {
  expect(await received(search)).toEqual([400, message]);
});

test('reads every value of a long list', async () => {
  const tag = numbered(1_500).map(({ id }) => String(id));
  expect(await received(`?${tag.map((each) => `tag=${each}`).join('&')}`)).toEqual({ ...DEFAULTS, tag });
});

const TENANT = '5f0c7b1e-8a53-4b8b-9f59-0d7c2f6f9d1a';

test('names of headers are compared without regard to case, and keep that of the contract', async () => {
  const headers = Object.entries({ 'x-TENANT': TENANT, 'X-DEPTH': '3', 'x-snapshot': '9007199254740993' });
  const values = { 'X-Tenant': TENANT, 'X-Depth': 3, 'X-Snapshot': 9007199254740993n };
  expect(await received('', headers)).toEqual({ ...DEFAULTS, ...values });
});

test.each<[string, ...Header[]]>([
  ['X-Tenant must match format "uuid".', ['x-tenant', 'me']],
  ['X-Depth must be >= 0.', ['x-depth', '-1']],
  ['X-Depth must be integer.', ['x-depth', '1.5']],
  ['X-Snapshot must be a 64-bit decimal integer.', ['x-snapshot', '01']],
  ['X-Depth is sent twice.', ['x-depth', '1'], ['X-Depth', '1']],
])('headers are refused: %s', async (message, ...headers) => {
  expect(await received('', headers)).toEqual([400, message]);
});

test.each([
  ['GET', '/v1/catalogue', 'year is missing.'],
  ['POST', '/v1/books', 'Idempotency-Key is missing.'],
])('names a missing required parameter of %s %s', async (method, target, message) => {
  const json = { headers: [['Content-Type', 'application/json']], body: '{}' } as const;
  const response = await ask({ method, target, headers: [], ...(method === 'POST' && json) });
  expect(await refusal(response)).toEqual([400, message]);
});
