import { any, has, is, isInherited, named, refused, where, works } from '../feature.ts';

const TEMPLATE = /^(\/(?!\.{1,2}(\/|$))([\w.~-]+|\{[^{}/]+\}))+$/;
const shapeOf = (path: string) => path.replaceAll(/\{[^}]*\}/g, '{}');

/** Whether some requests match both paths, and neither of them is the more literal one. */
function isAmbiguous(one: string, other: string): boolean {
  const [segments, others] = [one, other].map((path) => shapeOf(path).split('/')) as [string[], string[]];
  const isFree = (segment?: string) => segment === '{}';
  const overlap = segments.every((each, at) => isFree(each) || isFree(others[at]) || each === others[at]);
  const wider = (from: string[], to: string[]) => from.some((each, at) => isFree(each) && !isFree(to[at]));
  return segments.length === others.length && overlap && wider(segments, others) && wider(others, segments);
}

/** Whether a path clashes with one that stands before it. */
const clashing = (clash: (path: string, other: string) => boolean) =>
  named((path, _value, { value: paths }) => {
    const names = Object.keys(paths);
    return names.slice(0, names.indexOf(path)).some((other) => clash(path, other));
  });

/** Looked at before all else, because the rest is read in the words of 3.1. */
export const otherVersions = refused(
  'OpenAPI 3.0, 3.2 and Swagger 2.0',
  'Document',
  (document) =>
    /^3\.1\.\d+$/.test(document.openapi) ? [] : [['swagger' in document ? 'swagger' : 'openapi']],
  'write openapi: 3.1.0, and the document in its words',
  'openapi: 3.0.3 # here',
);

export const documentFeatures = [
  works('OpenAPI 3.1', 'Document', has('openapi'), '', 'openapi: 3.1.1'),
  otherVersions,
  refused(
    '`jsonSchemaDialect`',
    'Document',
    has('jsonSchemaDialect'),
    'leave it out: schemas are JSON Schema 2020-12 as OpenAPI 3.1 has it',
    'jsonSchemaDialect: https://json-schema.org/draft/2020-12/schema # here',
  ),
  works(
    '`info`: title, summary, description, contact, license, terms of service',
    'Info',
    has('contact'),
    '',
    'title: Orders\nversion: 1.0.0\ncontact: { name: Support, url: https://petstore.example }',
  ),
  works(
    'servers with an absolute address',
    'Server',
    has('url'),
    'the first word of the description is the name of the server in the client',
    'url: https://api.petstore.example/v1\ndescription: Production',
  ),
  refused(
    'a relative server address',
    'Server',
    where(({ url }) => !/^https?:\/\/[^/?#{}]+/.test(url) || !URL.canParse(url), 'url'),
    'write the whole address, such as https://api.petstore.example/v1',
    'url: /v1 # here\ndescription: Production',
  ),
  refused(
    'server variables',
    'Server',
    any(
      has('variables'),
      where(({ url }) => /^https?:.*\{/.test(url), 'url'),
    ),
    'write one server for each address',
    'url: https://api.petstore.example/v1\nvariables: {} # here',
  ),
  refused(
    'servers of a path or an operation',
    'Operation',
    has('servers'),
    'all operations are at the servers of the document',
    'servers: [] # here',
  ),
  refused(
    'servers of a path item',
    'PathItem',
    has('servers'),
    'all operations are at the servers of the document',
    'servers: [] # here',
  ),
  works('tags, with description and external documentation', 'Tag', has('name'), '', 'name: orders'),
  works('`externalDocs`', 'ExternalDocs', has('url'), 'shown on the page', 'url: https://petstore.example'),
  refused('webhooks', 'Document', has('webhooks'), 'describe them in words', 'webhooks: {} # here'),
  refused(
    'callbacks',
    'Operation',
    has('callbacks'),
    'describe in words what is called back',
    'callbacks: {} # here',
  ),
  refused(
    'components for callbacks and links',
    'Components',
    has('callbacks', 'links'),
    'leave them out: nothing may refer to them',
    'links: {} # here',
  ),
];

export const pathFeatures = [
  works(
    'paths with parameters, several of them too',
    'Paths',
    named((path) => path.includes('}/')),
    '',
    '/shops/{shopId}/orders/{orderId}: {}',
  ),
  works(
    'a literal path beside one with a parameter',
    'Paths',
    named((path, _value, { value: paths }) =>
      Object.keys(paths).some(
        (other) => other !== path && new RegExp(`^${other.replaceAll(/\{[^}]*\}/g, '[^/]+')}$`).test(path),
      ),
    ),
    'the literal one is tried first',
    '/orders/{orderId}: {}\n/orders/latest: {}',
  ),
  refused(
    'part of a segment as a parameter, a slash at the end, dot segments, and characters that URLs escape',
    'Paths',
    named((path) => !TEMPLATE.test(path)),
    'write /letters, digits, - . _ ~ or one {parameter} between two slashes',
    '/orders/{orderId}.json: {} # here',
  ),
  refused(
    'two paths that differ in the names of their parameters only',
    'Paths',
    clashing((path, other) => shapeOf(other) === shapeOf(path)),
    'write one path: both would match the same requests',
    '/orders/{orderId}: {}\n/orders/{id}: {} # here',
  ),
  refused(
    'two paths that match the same requests, neither of them more literal (`/shops/{id}/new`, `/shops/all/{name}`)',
    'Paths',
    clashing((path, other) => isAmbiguous(other, path)),
    'change a segment of one: which of them is meant could not be told',
    '/shops/{shopId}/new: {}\n/shops/all/{name}: {} # here',
  ),
  works(
    'path items by `$ref`',
    'Paths',
    named((_path, item) => item.$ref),
    '',
    "/orders: { $ref: '#/components/pathItems/Example' }",
  ),
  refused(
    '`summary` and `description` of a path item',
    'PathItem',
    has('summary', 'description'),
    'write them into its operations',
    'description: All about orders. # here',
  ),
  works(
    'parameters of a path item',
    'PathItem',
    has('parameters'),
    'they belong to each of its operations',
    'parameters: [{ name: page, in: query, schema: { type: integer } }]',
  ),
  works(
    'a parameter of an operation in place of one of its path item',
    'PathItem',
    (item, _place, { contract }) => {
      const key = (each: unknown) => {
        const { in: place, name } = contract.resolve(each) ?? {};
        return `${place} ${name}`;
      };
      const shared: string[] = (item.parameters ?? []).map(key);
      return Object.entries<{ parameters?: unknown[] }>(item).flatMap(([method, operation]) =>
        (Array.isArray(operation?.parameters) ? operation.parameters : []).flatMap((each, index) =>
          shared.includes(key(each)) ? [[method, 'parameters', index]] : [],
        ),
      );
    },
    '',
    `parameters: [{ name: page, in: query, schema: { type: integer } }]
get:
  operationId: example
  responses: {}
  parameters:
    - { name: page, in: query, schema: { type: string } }`,
  ),
  works(
    'GET, POST, PUT, PATCH and DELETE',
    'PathItem',
    has('get', 'post', 'put', 'patch', 'delete'),
    'HEAD is answered as GET without a body, OPTIONS with Allow',
    'put: { operationId: example, responses: {} }',
  ),
  refused(
    'HEAD, OPTIONS and TRACE',
    'PathItem',
    has('head', 'options', 'trace'),
    'leave it out: HEAD and OPTIONS are answered by the server, TRACE by nobody',
    'head: { operationId: example, responses: {} } # here',
  ),
  works(
    '`operationId`',
    'Operation',
    has('operationId'),
    'the name of handler, client method and page anchor',
    'operationId: listOrders',
  ),
  refused(
    'an operationId that every object of JavaScript has',
    'Operation',
    where(({ operationId }) => operationId === 'then' || isInherited(operationId), 'operationId'),
    'choose another name',
    'operationId: toString # here',
  ),
  works('`summary` and `description`', 'Operation', has('summary'), '', 'summary: List orders'),
  works('`tags` of an operation', 'Operation', has('tags'), '', 'tags: [examples]'),
  works(
    '`deprecated` operations, with `x-deprecated-since` and `x-deprecated-sunset`',
    'Operation',
    is('deprecated', true),
    'both dates are needed; replies carry Deprecation, Sunset and Link',
    "deprecated: true\nx-deprecated-since: '2026-11-01'\nx-deprecated-sunset: '2027-06-30'",
  ),
  works(
    '`x-internal: true`',
    'Operation',
    is('x-internal', true),
    'served, with its handler, and in no published document, page or client; nor are the components and tags that only internal operations use',
    'x-internal: true',
  ),
  works('`x-stability: experimental` or `beta`', 'Operation', has('x-stability'), '', 'x-stability: beta'),
  works('`x-hideTryItPanel: true`', 'Operation', has('x-hideTryItPanel'), '', 'x-hideTryItPanel: true'),
  works(
    'other extensions',
    'Operation',
    named((name) => /^x-(?!internal|stability|hideTry|deprecated)/.test(name)),
    'free, unless their name is nearly one of ours',
    'x-owner: orders-team',
  ),
];
