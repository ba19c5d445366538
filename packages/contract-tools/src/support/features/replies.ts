import { any, has, is, named, on, refusedFields, schemaOf, where } from '../row.ts';
import { JSON_TYPE, media } from './media.ts';
import { TOKEN } from './header-names.ts';
import { keywordsBeside } from './schemas/keywords.ts';

const BINARY =
  /^(image|audio|video|font)\/[\w.-]+$|^application\/(octet-stream|pdf|zip|gzip|wasm|x-tar|vnd\.[\w.-]+)$/;
const TEXT = /^text\/(?!event-stream$)[\w.-]+$/;

/** Headers of a reply that belong to the connection, to the body or to cookies. */
const FOREIGN_HEADERS =
  /^(access-control-.*|connection|content-(encoding|length|range|type)|date|keep-alive|set-cookie|te|trailer|transfer-encoding|upgrade|vary|x-content-type-options)$/i;

export const replyFeatures = [
  on('Responses').works(
    'statuses from 200 to 599, each by its number',
    named((status) => /^[2-5]\d\d$/.test(status)),
  ),
  on('Responses').refused(
    '`default` and ranges of statuses (`2XX`)',
    named((status) => /^(default|\dXX)$/i.test(status)),
    'default: { description: Anything. } # here',
    'declare each status by its number',
  ),
  on('Responses').refused(
    'other statuses (`103`, `600`)',
    named((status) => !/^([2-5]\d\d|default|\dXX)$/i.test(status)),
    "'103': { description: Hints. } # here",
    'leave it out: those below 200 the server sends by itself',
  ),
  on('Responses').works(
    'responses by `$ref`',
    named((_status, { $ref }) => $ref),
  ),
  on('Response').works(
    'replies without a body',
    where(({ content }) => content === undefined),
  ),
  on('MediaType').works(
    'JSON replies',
    media('Response', (type) => type === JSON_TYPE),
    'objects, arrays, scalars',
  ),
  on('MediaType').works(
    'text replies (`text/csv`, `text/plain`, …)',
    media('Response', (type) => TEXT.test(type)),
    'the schema is { type: string }',
  ),
  on('MediaType').works(
    'binary replies (`image/*` by name, `application/pdf`, `application/octet-stream`, …)',
    media('Response', (type) => BINARY.test(type)),
    'the schema is { type: string, format: binary }',
  ),
  on('MediaType').refused(
    'replies of other media types (XML, `+json`, event streams, NDJSON, ranges such as `image/*`, charsets)',
    media('Response', (type) => type !== JSON_TYPE && !TEXT.test(type) && !BINARY.test(type)),
    'description: An order.\ncontent:\n  application/xml: { schema: { type: string } } # here',
    'write application/json, or a text or binary type without parameters',
  ),
  on('MediaType').refused(
    'text and bytes with another schema than their own',
    media('Response', (type, schema) => {
      const { type: is, format } = schema;
      const wanted = TEXT.test(type) ? undefined : BINARY.test(type) ? 'binary' : format;
      return (
        type !== JSON_TYPE &&
        (TEXT.test(type) || BINARY.test(type)) &&
        (is !== 'string' || format !== wanted || keywordsBeside(schema, 'type', 'format').length > 0)
      );
    }),
    'description: A table.\ncontent:\n  text/csv: { schema: { type: array, items: { type: string } } } # here',
    'write schema: { type: string } for text, { type: string, format: binary } for bytes',
  ),
  on('Response').refused(
    'several media types of one reply',
    where(({ content }) => Object.keys(content ?? {}).length > 1, 'content'),
    'description: A table.\ncontent: # here\n  text/csv: { schema: { type: string } }\n  application/json: { schema: { type: string } }',
    'write one: replies are not negotiated',
  ),
  on('Responses').refused(
    'a body of 204, 205 or 304',
    (responses, _place, contract) =>
      ['204', '205', '304']
        .filter((status) => contract.resolve(responses[status])?.content)
        .map((status) => [status]),
    "'204': # here\n  description: Done.\n  content:\n    application/json: { schema: { type: string } }",
    'leave content out (RFC 9110 §15), or use 200',
  ),
  on('Response').works(
    'headers of replies: strings, integers, numbers, booleans; `Link`, `Location`, `ETag`, …',
    named(() => true, 'headers'),
    'a handler sets them, but for those that the pipeline sets; without one, Cache-Control is no-store',
  ),
  on('Response').works(
    'headers by `$ref`',
    named((_name, { $ref }) => $ref, 'headers'),
  ),
  on('Header').refused(
    'headers that are arrays, objects, nullable or of several types',
    where((header, contract) => {
      const schema = schemaOf(header, contract);
      const [type = '', ...more] = [schema.type ?? []].flat();
      return header.schema && (more.length > 0 || !['string', 'integer', 'number', 'boolean'].includes(type));
    }, 'schema'),
    'schema: # here\n  type: array\n  items: { type: string }',
    'give it one type: string, integer, number or boolean',
  ),
  on('Header').refused(
    '`format: int64` of a header',
    where((header, contract) => schemaOf(header, contract).format === 'int64', 'schema'),
    'schema: # here\n  type: integer\n  format: int64',
    'leave format out: numbers of headers are exact up to 2^53−1; beyond, write type: string',
  ),
  on('Response').refused(
    'names of headers with spaces or the like',
    named((name) => !TOKEN.test(name), 'headers'),
    'description: Done.\nheaders:\n  X Total: { schema: { type: string } } # here',
    'write letters, digits and - (RFC 9110 §5.6.2)',
  ),
  on('Response').refused(
    'headers that the server writes by itself (`Content-Type`, `Content-Length`, `Set-Cookie`, `Vary`, …)',
    named((name) => FOREIGN_HEADERS.test(name), 'headers'),
    'description: Done.\nheaders:\n  Set-Cookie: { schema: { type: string } } # here',
    'leave it out; there are no cookies',
  ),
  on('Header').refused(
    '`content` of a header, a `style` that is not `simple`, and what belongs to parameters',
    any(
      has('content', 'allowReserved', 'allowEmptyValue'),
      where(({ style = 'simple' }) => style !== 'simple', 'style'),
    ),
    'content: { text/plain: { schema: { type: string } } } # here',
    'write schema alone',
  ),
  on('Header').works(
    '`style: simple` and `explode` of a header',
    has('style', 'explode'),
    'they change nothing: it is no array',
  ),
  on('Header').works('`deprecated` headers', is('deprecated', true)),
  ...refusedFields('Response', 'description: Done.\n', {
    links: 'describe them in words, or declare a Link header (RFC 8288)',
  }),
];
