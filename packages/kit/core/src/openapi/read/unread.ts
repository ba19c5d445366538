import { isObject, type JsonObject } from '../../json/index.ts';
import { eitherOf, resolveIn } from '../../model/index.ts';
import type { Kind } from './grammar.ts';
import type { Node } from './walk.ts';

type Remark = (message: string, ...pointer: readonly string[]) => void;

/** The dialects that schemas are read in: that of OpenAPI 3.1 adds only its own keywords. */
const DIALECT =
  /^https?:\/\/(json-schema\.org\/draft\/2020-12\/schema|spec\.openapis\.org\/oas\/3\.\d\/dialect\/)/;

const PLACED = 'every operation is served at the first server of the document';

/** Fields that are read by nobody who serves or calls an operation, and what happens instead. */
const UNREAD: Partial<Record<Kind, Readonly<Record<string, string>>>> = {
  Document: { webhooks: 'webhooks are documentation: the service does not send them by itself' },
  PathItem: { servers: `servers of a path are documentation: ${PLACED}` },
  Operation: {
    servers: `servers of an operation are documentation: ${PLACED}`,
    callbacks: 'callbacks are documentation: the service does not send them by itself',
  },
  Response: { links: 'links are documentation: clients do not follow them' },
  Encoding: {
    headers: 'headers of a part are documentation: a part of a form is its value',
    allowReserved:
      'allowReserved is ignored: clients encode every reserved character, and the server reads both',
  },
  Header: {
    allowEmptyValue: 'allowEmptyValue is ignored: it is for parameters in a query (OpenAPI 3.1 §4.8.12.2.1)',
    allowReserved: 'allowReserved is ignored: headers are not encoded',
  },
  Parameter: {
    allowReserved:
      'allowReserved is ignored: clients encode every reserved character, and the server reads both',
  },
  Schema: {
    xml: 'xml is documentation: XML is read and written as text',
    contentSchema:
      'contentSchema is documentation: handlers get the text (JSON Schema 2020-12 validation §8.2)',
  },
};

/** Remarks on fields of an object that nobody reads. */
export function remarkOnUnread({ kind, value }: Node, remark: Remark): void {
  for (const [field, message] of Object.entries(UNREAD[kind] ?? {}))
    if (field in value && value[field] !== false) remark(message, field);
  if (kind === 'Header' && value.style !== undefined && value.style !== 'simple')
    remark('the style of a header is always simple (OpenAPI 3.1 §4.8.21)', 'style');
  const dialect = kind === 'Document' ? 'jsonSchemaDialect' : kind === 'Schema' ? '$schema' : undefined;
  if (dialect !== undefined && dialect in value && !DIALECT.test(String(value[dialect])))
    remark(`${dialect} is ignored: schemas are read as JSON Schema 2020-12`, dialect);
  if (kind === 'ServerVariable' && Array.isArray(value.enum) && !value.enum.includes(value.default))
    remark('the default is not in enum (OpenAPI 3.1 §4.8.6): it is taken all the same', 'default');
}

/** What belongs to a parameter whatever its value is. */
const OF_WHOLE = ['default', 'title', 'description', 'deprecated', 'example', 'examples'];

/** Lets a parameter in a query be sent empty, too, if `allowEmptyValue` says so. */
export function allowEmpty({ value }: Node, document: JsonObject, remark: Remark): void {
  if (value.allowEmptyValue !== true) return;
  const { schema } = value;
  const { type, ...others } = resolveIn(document, schema);
  const types = [type ?? []].flat().map(String);
  const isOf = (name: string) => types.includes(name);
  const why =
    value.in !== 'query'
      ? 'it is for parameters in a query'
      : !isObject(schema)
        ? 'it is for parameters with a schema'
        : isOf('array') || isOf('object') || value.style === 'deepObject'
          ? 'it says nothing of lists and objects'
          : undefined;
  if (why !== undefined || !isObject(schema))
    return remark(`allowEmptyValue is ignored: ${why} (OpenAPI 3.1 §4.8.12.2.1)`, 'allowEmptyValue');
  const isEmptyText =
    types.join() === 'string' && Object.keys(others).every((keyword) => OF_WHOLE.includes(keyword));
  // An empty text is null to a parameter that may be null.
  if (isEmptyText || (types.length === 0 && Object.keys(others).length === 0)) return;
  const whole = Object.fromEntries(Object.entries(others).filter(([keyword]) => OF_WHOLE.includes(keyword)));
  value.schema = { ...whole, ...eitherOf([schema, { type: 'string', enum: [''] }]) };
}
