import { gzipSync } from 'node:zlib';
import { readModel } from '@contract-kit/core/model';
import { contractFrom } from '@contract-kit/test-support/contracts';
import { hitsIn, readIndex } from '../src/docs/browser/search-hits.js';
import { renderPage } from '../src/docs/html/page.ts';
import { searchIndexOf } from '../src/docs/search/search-index.ts';
import { servedAt } from '../src/docs/served.ts';
import { contract, model } from './library/contract.ts';
import { manyOperations } from './library/many-operations.ts';
import { sharedService } from './library/service.ts';

const servedOf = (document: object) => {
  const other = contractFrom(JSON.stringify(document));
  return servedAt({ contract: other, model: readModel(other.document) }, { url: 'https://api.example/v1' });
};

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object) => ({ 'application/json': { schema } });
const text = { type: 'string' };

const shop = {
  openapi: '3.2.0',
  info: { title: 'Shop', version: '1.0.0', description: '## Delivery\n\nBy bicycle.' },
  servers: [{ url: 'https://shop.example/v1' }],
  paths: {
    '/parcels': {
      get: {
        operationId: 'listParcels',
        summary: 'List parcels',
        tags: ['Parcels'],
        parameters: [{ name: 'per_page', in: 'query', schema: { type: 'integer' } }],
        responses: {
          200: {
            description: 'Parcels.',
            headers: { 'X-Total': { schema: { type: 'integer' } } },
            content: json({ type: 'array', items: ref('Parcel') }),
          },
        },
      },
      post: {
        operationId: 'parcels/create-one',
        summary: 'Place an parcel',
        tags: ['Parcels'],
        security: [{ login: ['parcels.write'] }],
        requestBody: {
          content: json({ type: 'object', properties: { parcel: ref('Parcel'), voucher: text } }),
        },
        responses: { 201: { description: 'Placed.' } },
      },
    },
    '/parcels/{parcelId}': {
      get: {
        operationId: 'getParcel',
        summary: 'Look at one',
        tags: ['Parcels'],
        parameters: [{ name: 'parcelId', in: 'path', required: true, schema: text }],
        responses: { 200: { description: 'The parcel.', content: json(ref('Parcel')) } },
      },
    },
    '/changes': {
      get: {
        operationId: 'watch',
        summary: 'Watch the stock',
        tags: ['Warehouse'],
        responses: {
          200: {
            description: 'Changes.',
            content: {
              'text/event-stream': {
                itemSchema: { type: 'object', properties: { event: { enum: ['restocked'] }, data: text } },
              },
            },
          },
        },
      },
    },
  },
  components: {
    securitySchemes: {
      login: {
        type: 'oauth2',
        flows: {
          implicit: { authorizationUrl: 'https://shop.example/login', scopes: { 'parcels.write': '' } },
        },
      },
    },
    schemas: {
      Parcel: {
        type: 'object',
        properties: {
          shippingAddress: ref('Address'),
          parent: ref('Parcel'),
          size: { properties: { cm: text } },
        },
      },
      Address: { allOf: [ref('Place'), { properties: { city: text } }] },
      Place: { type: 'object', properties: { country: text } },
    },
  },
};

const shopIndex = readIndex(searchIndexOf(servedOf(shop)), '/v1');

/** What a query finds, in words: `shippingAddress.city in createParcel`. */
const found = (query: string, index = shopIndex) =>
  hitsIn(index, query).map(({ kind, name, entry: { id } }) =>
    name === undefined ? `${kind} ${id}` : `${kind} ${name} in ${id}`,
  );

test.each([
  ['listParcels', 'operation listParcels'],
  ['parcels/create-one', 'operation parcelsCreateOne'],
  ['GET /parcels', 'operation listParcels'],
  ['get /v1/parcels/{id}', 'operation getParcel'],
  ['/parcels/{parcelId}', 'operation getParcel'],
  ['place parcel', 'operation parcelsCreateOne'],
  ['parcels look', 'operation getParcel'],
  ['delivery', 'section about-delivery'],
  ['warehouse', 'section group-warehouse'],
  ['Address', 'schema schema-Address'],
  ['voucher', 'field voucher in parcelsCreateOne'],
  ['parcelid', 'parameter parcelId in getParcel'],
  ['X-Total', 'header header-0-X-Total'],
  ['parcels.write', 'scope scope-login-parcels.write'],
  ['restocked', 'event restocked in watch'],
])('%j first finds %s', (query, expected) => {
  expect(found(query)[0]).toBe(expected);
});

test.each(['get parcels', 'parcel'])(
  '%j finds an operation by words of its method, path and title',
  (query) => {
    expect(found(query)).toEqual(expect.arrayContaining(['operation listParcels', 'operation getParcel']));
  },
);

test('a field is found in its schema and in each operation that has it, with the shortest path', () => {
  expect(found('city').slice().sort()).toEqual([
    'field city in schema-Address',
    'field parcel.shippingAddress.city in parcelsCreateOne',
    'field shippingAddress.city in getParcel',
    'field shippingAddress.city in listParcels',
    'field shippingAddress.city in schema-Parcel',
  ]);
  expect(found('country place parcel')).toEqual(['field parcel.shippingAddress.country in parcelsCreateOne']);
});

test('a path of fields finds what has it, also through schemas', () => {
  expect(found('shippingAddress.city')).not.toContain('field city in schema-Address');
  expect(found('parcel.shippingAddress.country')[0]).toBe(
    'field parcel.shippingAddress.country in parcelsCreateOne',
  );
  expect(found('size.cm')[0]).toBe('field size.cm in schema-Parcel');
  expect(found('address.cm')).toEqual([]);
});

test('what has the words exactly comes before what starts with them, and that before the rest', () => {
  const names = ['reparcel', 'parcels', 'parcel'];
  const paths = Object.fromEntries(
    names.map((name) => [
      `/${name}-it`,
      { get: { operationId: name, responses: { 204: { description: '' } } } },
    ]),
  );
  const index = readIndex(searchIndexOf(servedOf({ ...shop, paths })));
  expect(found('parcel', index).filter((hit) => hit.startsWith('operation'))).toEqual([
    'operation parcel',
    'operation parcels',
    'operation reparcel',
  ]);
});

test('finds every operation of the library by its name, path, parameters, codes and headers', () => {
  const index = readIndex(searchIndexOf(servedAt({ contract, model }, { url: 'https://api.example/v1' })));
  for (const { id, method, path, parameters, responses } of model.operations) {
    expect(found(id, index)[0]).toBe(`operation ${id}`);
    expect(found(`${method} ${path}`, index)).toContain(`operation ${id}`);
    for (const { name } of parameters) expect(found(name, index)).toContain(`parameter ${name} in ${id}`);
    for (const code of responses.flatMap(({ codes = [] }) => codes)) {
      expect(found(code, index)).toContain(`code ${code} in ${id}`);
      expect(found(code, index)).toContain(`code error-${code}`);
    }
  }
});

describe('of a contract of many pages', () => {
  const served = servedOf(manyOperations());
  const index = searchIndexOf(served);

  test('each entry leads to a page that has it', () => {
    const pages = new Map<string, string>();
    const wrong = readIndex(index).entries.filter(({ href, id }) => {
      const place = href.split('#', 1)[0] ?? '';
      if (!pages.has(place)) pages.set(place, renderPage(served, place));
      return !pages.get(place)?.includes(` id="${id}"`);
    });
    expect(wrong).toEqual([]);
    expect(pages.size).toBe(index.pages.length);
  });

  test('it takes less than 100 bytes for each operation', () => {
    const size = gzipSync(JSON.stringify(index)).length;
    expect(size).toBeLessThan(100 * served.model.operations.length);
  });
});

describe('served', () => {
  const service = sharedService();

  test('it has the operations of the contract, compressed and with a tag', async () => {
    const response = await service.request('/docs/search.json', { headers: { 'accept-encoding': 'gzip' } });
    expect(response.headers.get('etag')).toMatch(/^W/);
    const { entries } = (await response.json()) as { entries: { id: string }[] };
    expect(entries.map(({ id }) => id)).toEqual(expect.arrayContaining(model.operations.map(({ id }) => id)));
  });
});
