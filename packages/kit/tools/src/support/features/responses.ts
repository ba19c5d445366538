import { isInherited, eachName, refused, schemaOf, when } from '../rule.ts';
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
  refused('Responses', {
    feature: 'other statuses (`default`, `2XX`, `103`, `600`)',
    find: eachName((status) => !/^[2-5]\d\d$/.test(status)),
    example: 'default: { description: Anything. } # here',
    advice: 'declare each status from 200 to 599 by its number',
  }),
  refused('MediaType', {
    feature:
      'responses of other media types (XML, `+json`, event streams, ranges, charsets), and text or bytes with another schema',
    find: media('Response', (type, schema) => {
      if (type === JSON_TYPE) return false;
      const isText = TEXT.test(type);
      if (!isText && !BINARY.test(type)) return true;
      const format = isText ? undefined : 'binary';
      const isOther = schema.type !== 'string' || schema.format !== format;
      return isOther || keywordsBeside(schema, 'type', 'format').length > 0;
    }),
    example: 'description: A loan.\ncontent:\n  application/xml: { schema: { type: string } } # here',
    advice:
      'write application/json, or a text or binary type without parameters, with { type: string } or { type: string, format: binary }',
  }),
  refused('Response', {
    feature: 'several media types of one response',
    find: when(({ content }) => Object.keys(content ?? {}).length > 1, 'content'),
    example:
      'description: A table.\ncontent: # here\n  text/csv: { schema: { type: string } }\n  application/json: { schema: { type: string } }',
    advice: 'write one: responses are not negotiated',
  }),
  refused('Responses', {
    feature: 'a body of 204, 205 or 304',
    find: (responses, { contract }) =>
      ['204', '205', '304']
        .filter((status) => contract.resolve(responses[status])?.content)
        .map((status) => [status]),
    example:
      "'204': # here\n  description: Done.\n  content:\n    application/json: { schema: { type: string } }",
    advice: 'leave content out (RFC 9110 §15), or use 200',
  }),
  refused('Header', {
    feature: 'headers that are not one string, integer, number or boolean, and `format: int64` of a header',
    find: when((header, { contract }) => {
      const schema = schemaOf(header, contract);
      const isSimple = ['string', 'integer', 'number', 'boolean'].includes(schema.type);
      return header.schema && (!isSimple || schema.format === 'int64');
    }, 'schema'),
    example: 'schema: # here\n  type: array\n  items: { type: string }',
    advice:
      'give it one of these types: numbers of headers are exact up to 2^53−1; beyond, write type: string',
  }),
  refused('Response', {
    feature:
      'headers that the server writes by itself (`Content-Type`, `Set-Cookie`, `Vary`, …), names with spaces or the like, and those that every object of JavaScript has',
    find: eachName((name) => FOREIGN_HEADERS.test(name) || !TOKEN.test(name) || isInherited(name), 'headers'),
    example: 'description: Done.\nheaders:\n  Set-Cookie: { schema: { type: string } } # here',
    advice: 'leave it out, or write letters, digits and - (RFC 9110 §5.6.2); there are no cookies',
  }),
  refused('Header', {
    feature: 'a `style` of a header other than `simple`',
    find: when(({ style = 'simple' }) => style !== 'simple', 'style'),
    example: 'schema: { type: string }\nstyle: form # here',
    advice: 'leave it out',
  }),
];
