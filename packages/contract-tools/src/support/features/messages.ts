import type { Json } from '../../contract.ts';
import { has, is, named, refused, schemaOf, where, works, type Find } from '../feature.ts';
import { FOREIGN_HEADERS as FOREIGN_PARAMETERS } from './parameters.ts';

const BINARY =
  /^(image|audio|video|font)\/[\w.-]+$|^application\/(octet-stream|pdf|zip|gzip|wasm|x-tar|vnd\.[\w.-]+)$/;
const TEXT = /^text\/(?!event-stream$)[\w.-]+$/;
const JSON_TYPE = 'application/json';

/** Headers of a reply that belong to the connection, to the body or to cookies. */
const FOREIGN_HEADERS =
  /^(access-control-.*|connection|content-(encoding|length|range|type)|date|keep-alive|set-cookie|te|trailer|transfer-encoding|upgrade|vary|x-content-type-options)$/i;

/** A name of a header (RFC 9110 §5.6.2). */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** The media types of request bodies, or of replies, for which `test` holds. */
const media =
  (of: 'RequestBody' | 'Response', test: (type: string, schema: Json) => unknown): Find =>
  (value, { pointer, parent }, scope) =>
    parent?.kind === of && test(String(pointer.at(-1)), schemaOf(value, scope)) ? [[]] : [];

const bodyOf = (content: Json): Json => content?.[JSON_TYPE]?.schema;

export const bodyFeatures = [
  works(
    'JSON bodies of POST, PUT and PATCH: objects, arrays, scalars',
    'MediaType',
    media('RequestBody', (type) => type === JSON_TYPE),
    'in UTF-8, of at most 100,000 bytes (else 400); another Content-Type, or none, is answered with 415',
    'content:\n  application/json: { schema: { type: array, items: { type: string } } }',
  ),
  refused(
    'request bodies of other media types (forms, multipart, XML, text, bytes, `+json`, ranges)',
    'MediaType',
    media('RequestBody', (type) => type !== JSON_TYPE),
    'write application/json',
    'content:\n  multipart/form-data: { schema: { type: string } } # here',
  ),
  works(
    'required and optional bodies',
    'RequestBody',
    has('required'),
    '',
    'required: true\ncontent:\n  application/json: { schema: { type: string } }',
  ),
  works(
    'request bodies by `$ref`',
    'Operation',
    where((operation) => operation.requestBody?.$ref, 'requestBody'),
    '',
    "requestBody: { $ref: '#/components/requestBodies/Example' }",
  ),
  refused(
    'bodies of GET and DELETE',
    'PathItem',
    (item) =>
      ['get', 'delete']
        .filter((method) => item[method]?.requestBody)
        .map((method) => [method, 'requestBody']),
    'use POST, or parameters (RFC 9110 §9.3.1, §9.3.5)',
    "get:\n  operationId: example\n  responses: {}\n  requestBody: # here\n    $ref: '#/components/requestBodies/Example'",
  ),
  works(
    'a field of the body with the name of a parameter',
    'Operation',
    where((operation, { contract }, { parent }) => {
      const body = contract.resolve(bodyOf(contract.resolve(operation.requestBody)?.content));
      const parameters: Json[] = [...(parent?.value.parameters ?? []), ...(operation.parameters ?? [])];
      return parameters.some((each) => contract.resolve(each)?.name in (body?.properties ?? {}));
    }, 'requestBody'),
    'the client then takes the whole body as `body`, as where it is optional, no object, a map or composed',
    `parameters: [{ name: id, in: header, schema: { type: string } }]
requestBody:
  content:
    application/json: { schema: { type: object, properties: { id: { type: integer } } } }`,
  ),
  refused(
    'a parameter called `body` beside a body',
    'Operation',
    where((operation, { contract }, { parent }) => {
      const parameters: Json[] = [...(parent?.value.parameters ?? []), ...(operation.parameters ?? [])];
      return operation.requestBody && parameters.some((each) => contract.resolve(each)?.name === 'body');
    }, 'requestBody'),
    'give it another name: the client takes the body under this one',
    `parameters: [{ name: body, in: query, schema: { type: string } }]
requestBody: # here
  content:
    application/json: { schema: { type: string } }`,
  ),
  refused(
    '`encoding`',
    'MediaType',
    has('encoding'),
    'leave it out: JSON has none',
    'content:\n  application/json:\n    schema: { type: string }\n    encoding: {} # here',
  ),
  works(
    '`example` and `examples` of bodies, parameters and headers, by `$ref` too',
    'MediaType',
    has('example', 'examples'),
    'shown on the page, and checked',
    'content:\n  application/json:\n    schema: { type: string }\n    example: Rex',
  ),
  refused(
    '`externalValue` of an example',
    'Example',
    has('externalValue'),
    'write its value: the contract is one file',
    'externalValue: https://petstore.example/rex.json # here',
  ),
];

export const replyFeatures = [
  works(
    'statuses from 200 to 599, each by its number',
    'Responses',
    named((status) => /^[2-5]\d\d$/.test(status)),
    '',
    "'202': { description: Accepted. }",
  ),
  refused(
    '`default` and ranges of statuses (`2XX`)',
    'Responses',
    named((status) => /^(default|\dXX)$/i.test(status)),
    'declare each status by its number',
    'default: { description: Anything. } # here',
  ),
  refused(
    'statuses below 200',
    'Responses',
    named((status) => /^1\d\d$/.test(status)),
    'leave it out: the server sends them by itself',
    "'103': { description: Hints. } # here",
  ),
  works(
    'responses by `$ref`',
    'Responses',
    named((_status, { $ref }) => $ref),
    '',
    "'200': { $ref: '#/components/responses/Example' }",
  ),
  works(
    'replies without a body',
    'Response',
    where(({ content }) => content === undefined),
    '',
    'description: Done.',
  ),
  works(
    'JSON replies',
    'MediaType',
    media('Response', (type) => type === JSON_TYPE),
    'objects, arrays, scalars',
    'description: Names.\ncontent:\n  application/json: { schema: { type: array, items: { type: string } } }',
  ),
  works(
    'text replies (`text/csv`, `text/plain`, …)',
    'MediaType',
    media('Response', (type) => TEXT.test(type)),
    'the schema is { type: string }',
    'description: A table.\ncontent:\n  text/csv: { schema: { type: string } }',
  ),
  works(
    'binary replies (`image/*` by name, `application/pdf`, `application/octet-stream`, …)',
    'MediaType',
    media('Response', (type) => BINARY.test(type)),
    'the schema is { type: string, format: binary }',
    'description: A picture.\ncontent:\n  image/png: { schema: { type: string, format: binary } }',
  ),
  refused(
    'replies of other media types (XML, `+json`, event streams, NDJSON, ranges such as `image/*`, charsets)',
    'MediaType',
    media('Response', (type) => type !== JSON_TYPE && !TEXT.test(type) && !BINARY.test(type)),
    'write application/json, or a text or binary type without parameters',
    'description: An order.\ncontent:\n  application/xml: { schema: { type: string } } # here',
  ),
  refused(
    'text and bytes with another schema than their own',
    'MediaType',
    media('Response', (type, { type: is, format, ...rest }) => {
      const narrowed = Object.keys(rest).some(
        (each) => !['title', 'description', 'example', 'examples'].includes(each),
      );
      const wanted = TEXT.test(type) ? undefined : BINARY.test(type) ? 'binary' : format;
      return (
        type !== JSON_TYPE &&
        (TEXT.test(type) || BINARY.test(type)) &&
        (is !== 'string' || format !== wanted || narrowed)
      );
    }),
    'write schema: { type: string } for text, { type: string, format: binary } for bytes',
    'description: A table.\ncontent:\n  text/csv: { schema: { type: array, items: { type: string } } } # here',
  ),
  refused(
    'several media types of one reply',
    'Response',
    where(({ content }) => Object.keys(content ?? {}).length > 1, 'content'),
    'write one: replies are not negotiated',
    'description: A table.\ncontent: # here\n  text/csv: { schema: { type: string } }\n  application/json: { schema: { type: string } }',
  ),
  refused(
    'a body of 204, 205 or 304',
    'Responses',
    (responses, _place, { contract }) =>
      ['204', '205', '304']
        .filter((status) => contract.resolve(responses[status])?.content)
        .map((status) => [status]),
    'leave content out (RFC 9110 §15), or use 200',
    "'204': # here\n  description: Done.\n  content:\n    application/json: { schema: { type: string } }",
  ),
  works(
    'headers of replies: strings, integers, numbers, booleans; `Link`, `Location`, `ETag`, …',
    'Response',
    named(() => true, 'headers'),
    'a handler sets them, but for those that the pipeline sets',
    'description: Done.\nheaders:\n  Location: { required: true, schema: { type: string } }',
  ),
  works(
    'headers by `$ref`',
    'Response',
    named((_name, { $ref }) => $ref, 'headers'),
    '',
    "description: Done.\nheaders:\n  X-Total: { $ref: '#/components/headers/Example' }",
  ),
  refused(
    'headers that are arrays, objects, nullable or of several types',
    'Header',
    where((header, scope) => {
      const schema = schemaOf(header, scope);
      const [type = '', ...more] = [schema.type ?? []].flat();
      return header.schema && (more.length > 0 || !['string', 'integer', 'number', 'boolean'].includes(type));
    }, 'schema'),
    'give it one type: string, integer, number or boolean',
    'schema: # here\n  type: array\n  items: { type: string }',
  ),
  refused(
    'names of headers with spaces or the like',
    'Response',
    named((name) => !TOKEN.test(name), 'headers'),
    'write letters, digits and - (RFC 9110 §5.6.2)',
    'description: Done.\nheaders:\n  X Total: { schema: { type: string } } # here',
  ),
  refused(
    'headers that the server writes by itself (`Content-Type`, `Content-Length`, `Set-Cookie`, `Vary`, …)',
    'Response',
    named((name) => FOREIGN_HEADERS.test(name), 'headers'),
    'leave it out; there are no cookies',
    'description: Done.\nheaders:\n  Set-Cookie: { schema: { type: string } } # here',
  ),
  refused(
    '`content`, `style`, `explode` and their like of a header',
    'Header',
    has('content', 'style', 'explode', 'allowReserved', 'allowEmptyValue'),
    'write schema alone',
    'explode: true # here\nschema: { type: string }',
  ),
  works(
    '`deprecated` headers',
    'Header',
    is('deprecated', true),
    '',
    'deprecated: true\nschema: { type: string }',
  ),
  refused(
    'links',
    'Response',
    has('links'),
    'describe them in words, or declare a Link header (RFC 8288)',
    'description: Done.\nlinks: {} # here',
  ),
];

export const securityFeatures = [
  works(
    'bearer keys (`type: http, scheme: bearer`)',
    'SecurityScheme',
    where(({ type, scheme }) => type === 'http' && /^bearer$/i.test(scheme), 'scheme'),
    '',
    'type: http\nscheme: bearer',
  ),
  works(
    'user and password (`type: http, scheme: basic`)',
    'SecurityScheme',
    where(({ type, scheme }) => type === 'http' && /^basic$/i.test(scheme), 'scheme'),
    '',
    'type: http\nscheme: basic',
  ),
  works(
    'a key in a header (`type: apiKey, in: header`)',
    'SecurityScheme',
    where(({ type, in: place }) => type === 'apiKey' && place === 'header', 'in'),
    '',
    'type: apiKey\nin: header\nname: X-Api-Key',
  ),
  refused(
    'a key in the query or in a cookie',
    'SecurityScheme',
    is('in', 'query', 'cookie'),
    'write in: header; addresses are logged',
    'type: apiKey\nin: query # here\nname: key',
  ),
  refused(
    'a key in the header `Authorization`, or in one that belongs to HTTP, the pipeline or the browser',
    'SecurityScheme',
    where(({ name = 'X' }) => FOREIGN_PARAMETERS.test(name) || !TOKEN.test(name), 'name'),
    'write type: http, scheme: bearer, or name another header',
    'type: apiKey\nin: header\nname: Authorization # here',
  ),
  refused(
    'other schemes of HTTP (`digest`, …)',
    'SecurityScheme',
    where(({ type, scheme }) => type === 'http' && scheme && !/^(bearer|basic)$/i.test(scheme), 'scheme'),
    'write bearer or basic',
    'type: http\nscheme: digest # here',
  ),
  refused(
    'OAuth 2, OpenID Connect and mutual TLS',
    'SecurityScheme',
    is('type', 'oauth2', 'openIdConnect', 'mutualTLS'),
    'write type: http, scheme: bearer, and in words where the token comes from',
    'type: oauth2 # here\nflows: {}',
  ),
  refused(
    'two schemes that are sent in the same way',
    'Components',
    named(
      (name, scheme, { value: { securitySchemes } }) =>
        Object.entries<Json>(securitySchemes)
          .slice(0, Object.keys(securitySchemes).indexOf(name))
          .some(([, { type, scheme: word, name: header }]) => {
            const sent = (...parts: unknown[]) => parts.join(' ').toLowerCase();
            return sent(type, word, header) === sent(scheme.type, scheme.scheme, scheme.name);
          }),
      'securitySchemes',
    ),
    'keep one: which of them is meant could not be told',
    'securitySchemes:\n  other: { type: http, scheme: Bearer } # here',
  ),
  works(
    '`security` of the document and of an operation',
    'Operation',
    where(({ security }) => security?.length > 0, 'security'),
    'that of the operation replaces that of the document',
    'security: [{ apiKey: [] }]',
  ),
  works(
    '`security: []`',
    'Operation',
    where(({ security }) => security?.length === 0, 'security'),
    'open to everyone, without a key',
    'security: []',
  ),
  works(
    'alternatives of schemes',
    'Operation',
    where(({ security }) => security?.length > 1, 'security'),
    'one of them is enough',
    'security: [{ apiKey: [] }, { other: [] }]',
  ),
  works(
    'several schemes at once',
    'SecurityRequirement',
    where((requirement) => Object.keys(requirement).length > 1),
    'all of them, with the same key',
    'security: [{ apiKey: [], other: [] }]',
  ),
  refused(
    'bearer and basic at once',
    'SecurityRequirement',
    (requirement, _place, { contract }) => {
      const schemes: Json = contract.document.components?.securitySchemes ?? {};
      return Object.keys(requirement).filter((name) => schemes[name]?.type === 'http').length > 1 ? [[]] : [];
    },
    'write one of them: both are sent in Authorization',
    'security:\n  - { apiKey: [], basic: [] } # here',
  ),
  works(
    'optional security (`{}` among alternatives)',
    'SecurityRequirement',
    where((requirement) => Object.keys(requirement).length === 0),
    'open to everyone; a key that is sent is known to the handler',
    'security: [{ apiKey: [] }, {}]',
  ),
  refused(
    'scopes of a requirement',
    'SecurityRequirement',
    named((_name, scopes) => scopes.length > 0),
    'write an empty list: keys have no scopes',
    'security:\n  - apiKey: [write] # here',
  ),
];
