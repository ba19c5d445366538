import { isInherited, named, on, schemaOf, where } from '../rule.ts';
import { JSON_TYPE, media } from './media.ts';
import { TOKEN } from './header-names.ts';
import { keywordsBeside } from './schemas/keywords.ts';

const BINARY =
  /^(image|audio|video|font)\/[\w.-]+$|^application\/(octet-stream|pdf|zip|gzip|wasm|x-tar|vnd\.[\w.-]+)$/;
const TEXT = /^text\/(?!event-stream$)[\w.-]+$/;

/** Headers of a response that belong to the connection, to the body or to cookies. */
const FOREIGN_HEADERS =
  /^(access-control-.*|connection|content-(encoding|length|range|type)|date|keep-alive|set-cookie|te|trailer|transfer-encoding|upgrade|vary|x-content-type-options)$/i;

export const responseFeatures = [
  on('Responses').refused(
    'other statuses (`default`, `2XX`, `103`, `600`)',
    named((status) => !/^[2-5]\d\d$/.test(status)),
    'default: { description: Anything. } # here',
    'declare each status from 200 to 599 by its number',
  ),
  on('MediaType').refused(
    'responses of other media types (XML, `+json`, event streams, ranges, charsets), and text or bytes with another schema',
    media('Response', (type, schema) => {
      if (type === JSON_TYPE) return false;
      const isText = TEXT.test(type);
      if (!isText && !BINARY.test(type)) return true;
      const format = isText ? undefined : 'binary';
      const isOther = schema.type !== 'string' || schema.format !== format;
      return isOther || keywordsBeside(schema, 'type', 'format').length > 0;
    }),
    'description: A loan.\ncontent:\n  application/xml: { schema: { type: string } } # here',
    'write application/json, or a text or binary type without parameters, with { type: string } or { type: string, format: binary }',
  ),
  on('Response').refused(
    'several media types of one response',
    where(({ content }) => Object.keys(content ?? {}).length > 1, 'content'),
    'description: A table.\ncontent: # here\n  text/csv: { schema: { type: string } }\n  application/json: { schema: { type: string } }',
    'write one: responses are not negotiated',
  ),
  on('Responses').refused(
    'a body of 204, 205 or 304',
    (responses, _node, contract) =>
      ['204', '205', '304']
        .filter((status) => contract.resolve(responses[status])?.content)
        .map((status) => [status]),
    "'204': # here\n  description: Done.\n  content:\n    application/json: { schema: { type: string } }",
    'leave content out (RFC 9110 §15), or use 200',
  ),
  on('Header').refused(
    'headers that are not one string, integer, number or boolean, and `format: int64` of a header',
    where((header, contract) => {
      const schema = schemaOf(header, contract);
      const isSimple = ['string', 'integer', 'number', 'boolean'].includes(schema.type);
      return header.schema && (!isSimple || schema.format === 'int64');
    }, 'schema'),
    'schema: # here\n  type: array\n  items: { type: string }',
    'give it one of these types: numbers of headers are exact up to 2^53−1; beyond, write type: string',
  ),
  on('Response').refused(
    'headers that the server writes by itself (`Content-Type`, `Set-Cookie`, `Vary`, …), names with spaces or the like, and those that every object of JavaScript has',
    named((name) => FOREIGN_HEADERS.test(name) || !TOKEN.test(name) || isInherited(name), 'headers'),
    'description: Done.\nheaders:\n  Set-Cookie: { schema: { type: string } } # here',
    'leave it out, or write letters, digits and - (RFC 9110 §5.6.2); there are no cookies',
  ),
  on('Header').refused(
    'a `style` of a header other than `simple`',
    where(({ style = 'simple' }) => style !== 'simple', 'style'),
    'schema: { type: string }\nstyle: form # here',
    'leave it out',
  ),
];
