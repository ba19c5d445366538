import { ApiError, createClient, type Options } from '../src/index.ts';

/* A contract with ranges of statuses, errors of another shape and a key in the query. */
const contract = {
  name: 'library',
  version: '1',
  basePath: '',
  servers: { production: 'https://library.example' },
  headerTypes: {},
  ownErrors: true,
  operations: {
    getBook: {
      method: 'GET',
      path: '/book',
      credentials: {},
      queryCredentials: ['key'],
      responseTypes: { '2XX': 'object' },
      errors: ['4XX'],
    },
  },
};

const respond = (response: Response) => jest.fn((_url: string) => Promise.resolve(response));
const getBook = (fetch: NonNullable<Options['fetch']>) =>
  (createClient(contract, { apiKey: 'secret&1', fetch }) as { getBook(): Promise<unknown> }).getBook();

test('a key in the query is sent there, and an error of the contract’s own shape is an ApiError', async () => {
  const fetch = respond(Response.json({ type: 'gone', title: 'No.', status: 404 }, { status: 404 }));
  const error = await getBook(fetch).catch((thrown: unknown) => thrown);
  expect(fetch.mock.calls[0]?.[0]).toBe('https://library.example/book?key=secret%261');
  expect(error).toBeInstanceOf(ApiError);
  const url = 'https://library.example/book';
  expect(error).toMatchObject({ code: 'gone', message: 'getBook: 404 gone: No.', status: 404, url });
});

test('a success of a declared range has its data', async () => {
  expect(await getBook(respond(Response.json({ id: 1 }, { status: 203 })))).toEqual({ id: 1 });
});
