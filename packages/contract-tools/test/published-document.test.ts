import { publishedDocument } from '@petstore/contract/published-document';
import { parse } from 'yaml';

const CONTRACT = `
tags: [{ name: orders }, { name: upkeep }, { name: nobody }]
security: [{ key: [] }]
paths:
  /orders: { $ref: '#/components/pathItems/Orders' }
  /index: { $ref: '#/components/pathItems/Index' }
  /shards/{number}:
    parameters: [{ $ref: '#/components/parameters/Number' }]
    put: { operationId: moveShard, x-internal: true, security: [{ operator: [] }], responses: {} }
components:
  securitySchemes: { key: {}, operator: {} }
  parameters: { Number: {} }
  responses:
    Orders: { content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } }
    Index: { content: { application/json: { schema: { $ref: '#/components/schemas/Index' } } } }
  schemas:
    Order: { properties: { next: { $ref: '#/components/schemas/Order' } } }
    Index: { properties: { shard: { $ref: '#/components/schemas/Shard' }, last: { $ref: '#/components/schemas/Order' } } }
    Shard: {}
    Unused: { properties: { part: { $ref: '#/components/schemas/Part' } } }
    Part: {}
  pathItems:
    Orders:
      get: { operationId: listOrders, tags: [orders], responses: { 200: { $ref: '#/components/responses/Orders' } } }
      put: { operationId: sortOrders, tags: [upkeep], x-internal: true, responses: { 200: { $ref: '#/components/responses/Index' } } }
    Index:
      post: { operationId: rebuildIndex, x-internal: true, responses: { 200: { $ref: '#/components/responses/Index' } } }
`;

test('what is published has no internal operation, and nothing that only those use', () => {
  const document = parse(CONTRACT) as Record<string, never>;
  const { tags, paths, components } = publishedDocument(document) as Record<string, Record<string, object>>;
  expect(tags).toEqual([{ name: 'orders' }, { name: 'nobody' }]);
  expect(paths).toEqual({ '/orders': { $ref: '#/components/pathItems/Orders' } });
  const names = Object.entries(components ?? {}).map(([section, each]) => [section, Object.keys(each)]);
  expect(Object.fromEntries(names)).toEqual({
    securitySchemes: ['key'],
    parameters: [],
    responses: ['Orders'],
    schemas: ['Order', 'Unused', 'Part'],
    pathItems: ['Orders'],
  });
  expect(components?.['pathItems']).toMatchObject({ Orders: { get: {} } });
  expect(components?.['pathItems']?.['Orders' as never]).not.toHaveProperty('put');
});
