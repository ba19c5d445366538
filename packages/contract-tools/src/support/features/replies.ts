import { has, is, named, refused, schemaOf, where, works } from '../feature.ts';
import { JSON_TYPE, media } from './media.ts';
import { TOKEN } from './header-names.ts';

const BINARY =
  /^(image|audio|video|font)\/[\w.-]+$|^application\/(octet-stream|pdf|zip|gzip|wasm|x-tar|vnd\.[\w.-]+)$/;
const TEXT = /^text\/(?!event-stream$)[\w.-]+$/;

/** Headers of a reply that belong to the connection, to the body or to cookies. */
const FOREIGN_HEADERS =
  /^(access-control-.*|connection|content-(encoding|length|range|type)|date|keep-alive|set-cookie|te|trailer|transfer-encoding|upgrade|vary|x-content-type-options)$/i;

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
    '`format: int64` of a header',
    'Header',
    where((header, scope) => schemaOf(header, scope).format === 'int64', 'schema'),
    'leave format out: numbers of headers are exact up to 2^53−1; beyond, write type: string',
    'schema: # here\n  type: integer\n  format: int64',
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
