import type { IncomingMessage } from 'node:http';
import { invalidRequest } from '../http/api-error.ts';
import { timesSent } from '../http/headers.ts';
import type { Parameter } from '@petstore/contract/described-operation';
import type { JsonObject } from '@petstore/contract/json-pointer';
import { isRounded } from './exact-number.ts';
import { int64Reader } from './int64.ts';

/** Values by the names that the contract gives them. One that was not sent and has no default is absent. */
type Values = Record<string, unknown>;

/** The parameters of a request as values of the types that the contract gives them: int64 are bigint. */
export interface ParameterValues {
  readonly path: Values;
  readonly query: Values;
  readonly headers: Values;
}

/** The texts of one parameter as they were sent, or nothing. Those of a query are still percent-encoded. */
type Texts = readonly string[] | undefined;

const MAX_NAME_LENGTH = 100;
const INTEGER = /^(?:0|-?[1-9][0-9]{0,15})$/;
/** RFC 8259 §6. */
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/;

/**
 * Reads the parameters of an operation. Throws an ApiError for a query parameter that is not declared, one that is sent
 * twice and is no list, a text that is not of its type, and an int64 out of bounds.
 */
export function parameterReader(
  parameters: readonly Parameter[],
): (req: IncomingMessage, pathParams: Readonly<Record<string, string>>) => ParameterValues {
  const at = (place: Parameter['in']) =>
    parameters.filter((each) => each.in === place).map((each) => ({ ...each, read: readerOf(each) }));
  const inPath = at('path');
  const inQuery = at('query');
  const inHeaders = at('header').map((each) => ({ ...each, key: each.name.toLowerCase() }));

  const fromQuery = (url: string): Values => {
    const start = url.indexOf('?');
    if (start === -1 && inQuery.length === 0) return {};
    const sent = start === -1 ? new Map<string, string[]>() : textsIn(url.slice(start + 1));
    for (const name of sent.keys()) {
      if (!inQuery.some((each) => each.name === name))
        throw invalidRequest(`Unknown query parameter '${name.slice(0, MAX_NAME_LENGTH)}'`);
    }
    return read(inQuery, ({ name }) => sent.get(name));
  };

  return (req, pathParams) => ({
    path: read(inPath, ({ name }) => (pathParams[name] === undefined ? undefined : [pathParams[name]])),
    query: fromQuery(req.url ?? ''),
    headers: read(inHeaders, ({ name, key }) => {
      const text = req.headers[key];
      if (text !== undefined && timesSent(req, key) > 1) throw invalidRequest(`${name} is sent twice`);
      return typeof text === 'string' ? [text] : undefined;
    }),
  });
}

function read<Each extends Parameter & { readonly read: (texts: Texts) => unknown }>(
  parameters: readonly Each[],
  textsOf: (parameter: Each) => Texts,
): Values {
  if (parameters.length === 0) return {};
  const values = parameters.map((each) => [each.name, each.read(textsOf(each))] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** The texts of a query by name, in one pass. */
function textsIn(query: string): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const end = pair.indexOf('=');
    const name = decoded(end === -1 ? pair : pair.slice(0, end));
    const text = end === -1 ? '' : pair.slice(end + 1);
    const others = texts.get(name);
    if (others) others.push(text);
    else texts.set(name, [text]);
  }
  return texts;
}

/** RFC 3986 §2.1, and a plus for a space, as forms write it. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidRequest('The query is not percent-encoded correctly (RFC 3986 §2.1)');
  }
}

function readerOf({ name, in: place, schema, explode }: Parameter): (texts: Texts) => unknown {
  const decode = place === 'query' ? decoded : (text: string) => text;
  const isList = schema['type'] === 'array';
  const readText = scalarReader(name, isList ? (schema['items'] as JsonObject) : schema);
  const standard = schema['default'];
  const isInt64 = schema['format'] === 'int64' && typeof standard === 'number';
  const absent = isInt64 ? BigInt(standard) : standard;
  return (texts) => {
    if (texts === undefined) return absent;
    const [first = '', ...others] = texts;
    if (isList && explode) return texts.map((text) => readText(decode(text)));
    if (others.length > 0) throw invalidRequest(`${name} is sent twice`);
    // A comma within a value is percent-encoded, those between them are not.
    return isList ? first.split(',').map((text) => readText(decode(text))) : readText(decode(first));
  };
}

function scalarReader(name: string, schema: JsonObject): (text: string) => unknown {
  const types = [schema['type']].flat();
  const type = String(types.find((each) => each !== 'null'));
  const refuse = (wanted: string): never => {
    throw invalidRequest(`${name} must be ${wanted}`);
  };
  const exact = schema['format'] === 'int64' ? int64Reader(schema) : undefined;
  const readers: Readonly<Record<string, (text: string) => unknown>> = {
    string: (text) => text,
    boolean: (text) => (text === 'true' || text === 'false' ? text === 'true' : refuse(type)),
    number: (text) => (NUMBER.test(text) && !isRounded(text) ? +text : refuse(type)),
    integer(text) {
      const value = exact?.(text) ?? (INTEGER.test(text) && Number.isSafeInteger(+text) ? +text : type);
      return typeof value === 'string' ? refuse(value) : value;
    },
  };
  const reader = readers[type];
  if (!reader) throw new Error(`the parameter ${name} has no type that can be read`);
  return types.includes('null') ? (text) => (text === '' ? null : reader(text)) : reader;
}
