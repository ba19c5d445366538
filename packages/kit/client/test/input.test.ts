import { InputError, type Int64 } from '../src/index.ts';
import { altered, client, sendAll, server } from './support/served.ts';

beforeEach(() => sendAll('', 204));

const cancel = (input?: unknown) => client().cancelLoan(input as { loanId: Int64 });

test.each<[Int64, string]>([
  [0, '0'],
  [-1, '-1'],
  [Number.MAX_SAFE_INTEGER, '9007199254740991'],
  [9007199254740993n, '9007199254740993'],
  ['9007199254740993', '9007199254740993'],
  [2n ** 63n - 1n, '9223372036854775807'],
  [-(2n ** 63n), '-9223372036854775808'],
])('sends the id %p as %s', async (loanId, digits) => {
  await cancel({ loanId });
  expect(server.requests).toEqual([`DELETE /v1/loans/${digits}`]);
});

const ids = [undefined, null, NaN, 1.5, 2 ** 53, 2n ** 63n, '', '.', '01', '-0', '١', '1'.repeat(10_000)];

describe.each([
  ['an id', {}, [...ids, true, [1]].map((loanId) => ({ loanId }))],
  ['an input', {}, [undefined, null, 1, '1', [1], new Map(), { loanId: 1, page: 2 }]],
  [
    'a parameter',
    { query: ['page', 'tag', 'after'], int64: ['loanId', 'after'], headers: ['X-Tenant'] },
    [
      { page: { size: 1 } },
      { page: NaN },
      { page: 2 ** 53 },
      { tag: [['a']] },
      { tag: null },
      { tag: [undefined] },
      { tag: '\ud800' },
      { tag: Symbol('a') },
      { after: 'x' },
      { after: [1, 1.5] },
      { 'X-Tenant': ' a' },
      { 'X-Tenant': 'a\r\nb: c' },
      { 'X-Tenant': 'ä' },
      { 'X-Tenant': ['a', 'b'] },
      { 'x-tenant': 'a' },
    ].map((input) => ({ loanId: 1, ...input })),
  ],
  [
    'a body',
    { method: 'PUT', body: 'fields', bodyFields: ['name', 'age', 'tags'] },
    [
      { age: 5n },
      { name: undefined },
      { tags: [undefined] },
      { age: NaN },
      { age: 2 ** 53 },
      { nmae: 'Emma' },
    ].map((input) => ({ loanId: 1, ...input })),
  ],
])('%s that cannot be sent exactly', (_what, alterations, inputs) => {
  test.each(inputs.map((input) => [input]))('is refused before any request: %p', async (input) => {
    Object.assign(altered, alterations);
    const error = { name: 'InputError', code: 'invalid_input', attempts: 0 };
    await expect(cancel(input)).rejects.toBeInstanceOf(InputError);
    await expect(cancel(input)).rejects.toMatchObject(error);
    expect(server.requests).toEqual([]);
  });
});

test('names the parameter that cannot be sent', async () => {
  await expect(cancel({ loanId: 1, page: 2 })).rejects.toThrow('cancelLoan: page is unknown');
  await expect(cancel([1])).rejects.toThrow('cancelLoan: input must be a plain object');
});
