/* Contracts with an address in every field in which OpenAPI allows a URL or a reference. */

/** A sound contract with the address in every field in which OpenAPI allows a URL, and data that looks like a reference. */
export function withAddress(url: string): string {
  const data = { $ref: url };
  const documented = { url, description: `![image](${url}) <img src="${url}"> [link](${url})` };
  const link = { operationRef: `${url}#/paths/~1a/get`, server: { url }, 'x-link': data };
  const flow = { authorizationUrl: url, tokenUrl: url, refreshUrl: url, scopes: {} };
  const content = (extra: object) => ({
    'application/json': { schema: { $ref: '#/components/schemas/Item' }, 'x-media': data, ...extra },
  });
  const place = { summary: 'An item', description: documented.description, externalDocs: documented };
  const successes = {
    200: {
      description: documented.description,
      headers: { 'X-More': { schema: { type: 'string' }, example: url, 'x-header': data } },
      content: content({ examples: { one: { externalValue: url }, two: { value: { note: url } } } }),
      links: { next: link, further: data },
    },
    '4XX': { description: 'No.', 'x-response': data },
  };
  return JSON.stringify({
    openapi: '3.2.0',
    $self: `${url}/openapi.yaml`,
    jsonSchemaDialect: url,
    info: {
      title: 'Addresses',
      version: '1.0.0',
      description: documented.description,
      termsOfService: url,
      contact: { url },
      license: { name: 'MIT', url },
      'x-logo': { url, href: url, $ref: url },
    },
    externalDocs: documented,
    servers: [
      { url: `${url}/v1`, description: 'Production' },
      { url: '{host}/v1', variables: { host: { default: url } } },
    ],
    tags: [{ name: 'items', externalDocs: documented, 'x-tag': data }],
    security: [{ key: [] }, { oauth: [] }, { openId: [] }],
    'x-root': data,
    paths: {
      '/items': {
        servers: [{ url }],
        'x-item': data,
        get: {
          ...place,
          operationId: 'listItems',
          tags: ['items'],
          servers: [{ url }],
          'x-operation': data,
          'x-codeSamples': [{ lang: 'curl', label: 'curl', source: `curl ${url}` }],
          parameters: [
            {
              name: 'next',
              in: 'query',
              schema: { type: 'string', format: 'uri', default: url },
              'x-parameter': data,
            },
            {
              name: 'one',
              in: 'query',
              schema: { type: 'string' },
              examples: { one: { externalValue: url } },
            },
          ],
          responses: successes,
        },
        post: {
          operationId: 'addItem',
          requestBody: { required: true, content: content({ example: { note: url } }), 'x-body': data },
          responses: {
            307: {
              description: 'Elsewhere.',
              headers: {
                Location: {
                  required: true,
                  schema: { type: 'string', format: 'uri' },
                  example: `${url}/elsewhere`,
                },
              },
            },
          },
          callbacks: {
            undone: data,
            done: { [`${url}/{$request.body#/note}`]: { post: { responses: {} } } },
          },
        },
      },
      '/go': {
        get: {
          operationId: 'go',
          responses: {
            302: {
              description: 'Elsewhere.',
              headers: {
                Location: { required: true, schema: { type: 'string' }, example: `${url}/elsewhere` },
              },
            },
          },
        },
      },
    },
    webhooks: { removed: data, added: { post: { requestBody: { content: content({}) }, responses: {} } } },
    components: {
      'x-components': data,
      examples: { One: { externalValue: url, 'x-example': data } },
      links: { next: link, further: data },
      callbacks: { done: data },
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-API-Key', 'x-scheme': data },
        oauth: {
          type: 'oauth2',
          oauth2MetadataUrl: url,
          flows: {
            implicit: flow,
            authorizationCode: flow,
            deviceAuthorization: { ...flow, deviceAuthorizationUrl: url },
          },
        },
        openId: { type: 'openIdConnect', openIdConnectUrl: url },
      },
      schemas: {
        Item: {
          type: 'object',
          $schema: url,
          externalDocs: documented,
          xml: { namespace: url, name: 'item' },
          'x-schema': data,
          properties: {
            note: { type: 'string', example: url },
            like: { default: data, example: data, examples: [data] },
            exactly: { const: data },
            among: { enum: [data, url] },
            either: {
              oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
              discriminator: { propertyName: 'kind', mapping: { other: url } },
            },
          },
        },
        Cat: { type: 'object', required: ['kind'], properties: { kind: { type: 'string', const: 'Cat' } } },
        Dog: { type: 'object', required: ['kind'], properties: { kind: { type: 'string', const: 'Dog' } } },
      },
    },
  });
}

const UNFETCHED = 'nothing is fetched from the network';

const inSchema = (schema: object) => ({ components: { schemas: { Item: schema } } });
const inOperation = (operation: object) => ({
  paths: { '/a': { post: { operationId: 'a', responses: {}, ...operation } } },
});
const inMedia = (media: object) =>
  inOperation({ requestBody: { content: { 'multipart/form-data': media } } });

type Rows = readonly (readonly [what: string, said: string, change: (url: string) => object])[];

/** Where an address is refused: the part of a document with it, and the start of the reason. */
export const REFUSED: Rows = [
  ['a schema', UNFETCHED, ($ref) => inSchema({ $ref })],
  ['a property', UNFETCHED, ($ref) => inSchema({ properties: { a: { $ref } } })],
  ['an item', UNFETCHED, ($ref) => inSchema({ items: { $ref } })],
  ['a branch', UNFETCHED, ($ref) => inSchema({ oneOf: [{ $ref }] })],
  ['a condition', UNFETCHED, ($ref) => inSchema({ not: { $ref } })],
  ['a definition', UNFETCHED, ($ref) => inSchema({ $defs: { a: { $ref } } })],
  ['a response', UNFETCHED, ($ref) => ({ components: { responses: { Item: { $ref } } } })],
  ['a response of an operation', UNFETCHED, ($ref) => inOperation({ responses: { 200: { $ref } } })],
  ['a parameter', UNFETCHED, ($ref) => ({ components: { parameters: { Item: { $ref } } } })],
  ['a parameter of an operation', UNFETCHED, ($ref) => inOperation({ parameters: [{ $ref }] })],
  ['a header', UNFETCHED, ($ref) => ({ components: { headers: { Item: { $ref } } } })],
  [
    'a header of an encoding',
    UNFETCHED,
    ($ref) => inMedia({ encoding: { a: { headers: { B: { $ref } } } } }),
  ],
  ['a request body', UNFETCHED, ($ref) => ({ components: { requestBodies: { Item: { $ref } } } })],
  ['a security scheme', UNFETCHED, ($ref) => ({ components: { securitySchemes: { Item: { $ref } } } })],
  ['a path item', UNFETCHED, ($ref) => ({ paths: { '/items': { $ref } } })],
  // OpenAPI has no reference here, but other tools follow it.
  ['paths', UNFETCHED, ($ref) => ({ paths: { $ref } })],
  ['an operation', UNFETCHED, ($ref) => ({ paths: { '/items': { get: { $ref } } } })],
  ['responses', UNFETCHED, ($ref) => inOperation({ responses: { $ref } })],
  ['parameters', UNFETCHED, ($ref) => inOperation({ parameters: { $ref } })],
  ['content', UNFETCHED, ($ref) => inOperation({ requestBody: { content: { $ref } } })],
  ['a media type', UNFETCHED, ($ref) => inMedia({ $ref })],
  ['a media type of the components', UNFETCHED, ($ref) => ({ components: { mediaTypes: { A: { $ref } } } })],
  [
    'another document than its own address',
    UNFETCHED,
    ($ref) => ({ openapi: '3.2.0', $self: 'http://127.0.0.1/openapi.yaml', ...inSchema({ $ref }) }),
  ],
  ['properties', UNFETCHED, ($ref) => inSchema({ properties: { $ref } })],
  ['components', UNFETCHED, ($ref) => ({ components: { $ref } })],
  [
    'a defaultMapping',
    'defaultMapping must name one of the alternatives',
    (url) =>
      inSchema({
        oneOf: [{ type: 'object', properties: { kind: { const: 'a' } } }],
        discriminator: { propertyName: 'kind', defaultMapping: url },
      }),
  ],
  ['$dynamicRef', UNFETCHED, ($dynamicRef) => inSchema({ $dynamicRef })],
];

/** Where an address does not keep a contract from working, and what is said of it. */
export const WORKING: Rows = [
  ['an example', UNFETCHED, ($ref) => ({ components: { examples: { Item: { $ref } } } })],
  ['an example of a body', UNFETCHED, ($ref) => inMedia({ examples: { one: { $ref } } })],
  ['info', UNFETCHED, ($ref) => ({ info: { $ref } })],
  ['a license', UNFETCHED, ($ref) => ({ info: { title: 'A', version: '1', license: { $ref } } })],
  ['a tag', UNFETCHED, ($ref) => ({ tags: [{ $ref }] })],
  ['$id', ': works', ($id) => inSchema({ $id })],
];

/** A contract with one of these. */
export const refusedWith = (change: object): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'A', version: '1' },
    paths: { '/a': { get: { responses: {} } } },
    ...change,
  });
