import { createHash } from 'node:crypto';
import { parse } from 'node:querystring';
import type { Contract } from '@kit/contract';
import {
  dereferenced,
  describedOperation,
  isPlainParameter,
  objectAt,
  type Parameter,
} from '@kit/contract/described-operation';
import type { JsonObject } from '@kit/contract/json-pointer';
import express, {
  type Application,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import * as openApi from 'express-openapi-validator';
import { invalidRequest } from '../http/api-error.ts';
import { countHeader } from '../http/headers.ts';
import { queryTexts } from './query-texts.ts';
import {
  structuredParameter,
  type ParameterTexts,
  type StructuredParameter,
} from './structured-parameter.ts';
import { OutOfBounds, scalarOf, STRING_FORMATS, textFormats, wantedBy, type Scalar } from './scalar.ts';
import { sentSchemas } from './sent-schemas.ts';

/** Values by their names in the contract. Values that were not sent and have no default are absent. */
type Values = Record<string, unknown>;

/** The parameters of a request as values of their types in the contract: int64 are bigint. */
export interface ParameterValues {
  readonly path: Values;
  readonly query: Values;
  readonly headers: Values;
  readonly cookies: Values;
}

/** A valid request: the input of its handler. */
export interface ValidInput extends ParameterValues {
  readonly body: unknown;
}

/** The parameters of a request. Throws an ApiError, or rejects with one, if they are invalid. */
export type RequestValidator = (
  req: Request,
  operation: { readonly operationId: string; readonly pathParams: Readonly<Record<string, string>> },
) => ParameterValues | Promise<ParameterValues>;

/** A parameter, and its name for express-openapi-validator. */
interface Asked extends Parameter {
  readonly alias: string;
  readonly isList: boolean;
  readonly scalar: Scalar;
}

const NO_VALUES: ParameterValues = { path: {}, query: {}, headers: {}, cookies: {} };

/**
 * Creates a validator of the parameters of each operation, all with one express-openapi-validator: each one compiles a
 * schema of OpenAPI, which takes 40 ms. Rejects if one cannot be created.
 */
export async function createRequestValidator({
  document,
  operations,
  security,
}: Contract): Promise<RequestValidator> {
  const schemes = objectAt(objectAt(document, 'components'), 'securitySchemes');
  const credentialsOf = (id: string): string[] =>
    (security[id] ?? []).flat().flatMap((name) => {
      const { in: place, name: parameter } = dereferenced(schemes[name], document);
      return place === 'query' ? [String(parameter)] : [];
    });
  const compile = sentSchemas(document);
  const failed = (id: string, error: unknown) =>
    new Error(`the parameters of ${id} cannot be validated: ${String(error)}`, { cause: error });
  const inputs = Object.entries(operations).map(([id, operation]): [string, Input] => {
    try {
      const { parameters } = describedOperation(document, operation);
      const plain = parameters.filter(isPlainParameter);
      const structured = parameters.filter((parameter) => !isPlainParameter(parameter));
      const others = plain.filter((parameter) => !isInPath(parameter));
      const asked = [...plain.filter(isInPath), ...others].map(askedOf);
      const described = JSON.stringify(asked.map(describedFor));
      const input = {
        method: createHash('sha1').update(described).digest('hex'),
        asked,
        structured: structured.map((parameter) => structuredParameter(parameter, document, compile)),
        credentials: credentialsOf(id),
      };
      return [id, input];
    } catch (error) {
      throw failed(id, error);
    }
  });
  const app = express();
  const stages = openApi.middleware(optionsFor(inputs.map(([, input]) => input)));
  const validators = new Map<string, Validate>();
  for (const [id, input] of inputs) {
    validators.set(
      id,
      await createValidator(app, stages, input).catch((error: unknown) => {
        throw failed(id, error);
      }),
    );
  }
  return (req, { operationId, pathParams }) => {
    const validate = validators.get(operationId);
    if (!validate) throw new Error(`${operationId} has no validator`);
    return validate(req, pathParams);
  };
}

type Validate = (
  req: Request,
  pathParams: Readonly<Record<string, string>>,
) => ParameterValues | Promise<ParameterValues>;

interface Input {
  /** For express-openapi-validator: operations with the same parameters share it. */
  readonly method: string;
  readonly asked: readonly Asked[];
  /** Parameters that express-openapi-validator does not read. */
  readonly structured: readonly StructuredParameter[];
  readonly credentials: readonly string[];
}

/** Compiles everything that the first request would. Rejects if that fails. */
async function createValidator(
  app: Application,
  stages: ReturnType<typeof openApi.middleware>,
  { method, asked, structured, credentials }: Input,
): Promise<Validate> {
  const inPath = asked.filter(isInPath);
  const inQuery = asked.filter((parameter) => parameter.in === 'query');
  const inHeaders = asked.filter((parameter) => parameter.in === 'header');
  const names = new Set([...inQuery.map(({ name }) => name), ...credentials]);
  const declared = {
    has: (name: string) => names.has(name) || structured.some((parameter) => parameter.hasName(name)),
  };
  if (asked.length === 0 && structured.length === 0)
    return (req) => {
      queryTexts(req.url, declared);
      return NO_VALUES;
    };

  /** Validates a request with only these parameters: the library caches its validators by Content-Type. */
  async function ask(url: string, headers: Record<string, string>): Promise<Request> {
    const search = url.indexOf('?');
    const request = {
      app,
      baseUrl: '',
      path: search === -1 ? url : url.slice(0, search),
      method,
      originalUrl: url,
      headers,
      params: {},
      // A limit would drop values silently.
      query: search === -1 ? {} : parse(url.slice(search + 1), '&', '=', { maxKeys: 0 }),
    } as unknown as Request;
    if (asked.length === 0) return request;
    for (const stage of stages) await run(stage as RequestHandler, request);
    // Without this property it has skipped the request.
    if (!('openapi' in request)) throw new Error(`express-openapi-validator does not know ${url}`);
    return request;
  }

  const made = inPath.map(() => '/0').join('');
  await ask(made || '/', {}).catch((error: unknown) => {
    if (!(error instanceof openApi.error.BadRequest)) throw error;
  });

  return async (req, pathParams) => {
    const path = inPath.map(({ name }) => `/${pathParams[name] ?? ''}`).join('');
    const texts = queryTexts(req.url, declared);
    const query = askedQuery(inQuery, texts);
    const headers: Record<string, string> = {};
    for (const { name, alias } of inHeaders) {
      const text = req.headers[alias];
      if (text !== undefined && countHeader(req, alias) > 1) throw invalidRequest(`${name} is sent twice`);
      if (typeof text === 'string') headers[alias] = text;
    }
    try {
      const valid = await ask(`${path || '/'}${query}`, headers);
      const values = {
        path: valuesOf(inPath, valid.params),
        query: valuesOf(inQuery, valid.query),
        headers: valuesOf(inHeaders, valid.headers),
        cookies: {},
      };
      return structured.length > 0
        ? withStructured(values, structured, req, { path: pathParams, query: texts })
        : values;
    } catch (error) {
      throw refusalOf(error, asked);
    }
  };
}

/** `values` merged with those of `structured` parameters. */
function withStructured(
  values: ParameterValues,
  structured: readonly StructuredParameter[],
  req: Request,
  { path, query }: Pick<ParameterTexts, 'path' | 'query'>,
): ParameterValues {
  const places = { path: values.path, query: values.query, header: values.headers, cookie: values.cookies };
  const texts: ParameterTexts = {
    path,
    query,
    header: (name) => {
      const text = req.headers[name.toLowerCase()];
      return Array.isArray(text) ? text.join() : text;
    },
    cookies: cookiesOf(req.headers.cookie),
  };
  for (const { parameter, read } of structured) {
    const value = read(texts);
    if (value !== undefined) places[parameter.in][parameter.name] = value;
  }
  return values;
}

/** RFC 6265 §4.2.1. The first one of a name counts. */
function cookiesOf(header = ''): Map<string, string> {
  const pairs = header.split(';').map((pair): [string, string] => {
    const [name = '', ...rest] = pair.split('=');
    const value = rest.join('=').trim();
    return [name.trim(), value.replace(/^"(.*)"$/, '$1')];
  });
  return new Map(pairs.toReversed());
}

const isInPath = (parameter: Parameter) => parameter.in === 'path';

function askedOf(parameter: Parameter, index: number): Asked {
  const { name, in: place, schema } = parameter;
  const isList = schema['type'] === 'array';
  const scalar = scalarOf(isList ? (schema['items'] as JsonObject) : schema);
  return { ...parameter, alias: place === 'header' ? name.toLowerCase() : `p${index}`, isList, scalar };
}

const optionsFor = (inputs: readonly Input[]): Parameters<typeof openApi.middleware>[0] => ({
  apiSpec: documentOf(inputs),
  validateApiSpec: false,
  // So that a list of one empty string is a list.
  validateRequests: { coerceTypes: 'array' },
  validateSecurity: false,
  fileUploader: false,
  ajvFormats: { mode: 'full' },
  formats: { ...STRING_FORMATS, ...textFormats },
});

/**
 * The document for express-openapi-validator. Operations are methods of a few paths, because the library compiles
 * the patterns of paths on every request. Parameters have other names, because it interprets brackets, dashes
 * and wildcards in names; lists are exploded, because it splits encoded commas.
 */
function documentOf(inputs: readonly Input[]) {
  const paths: Record<string, JsonObject> = {};
  for (const { method, asked } of inputs) {
    const path = asked.filter(isInPath).map(({ alias }) => `/{${alias}}`);
    (paths[path.join('') || '/'] ??= {})[method] = { parameters: asked.map(describedFor), responses: {} };
  }
  return {
    openapi: '3.1.0' as const,
    info: { title: '', version: '' },
    components: {},
    webhooks: {},
    paths,
  } as unknown as openApiDocument;
}

function describedFor({ in: place, alias, required, schema, isList, scalar }: Asked): JsonObject {
  return {
    name: alias,
    in: place,
    required,
    schema: isList ? { ...schema, default: undefined, items: scalar.textSchema } : scalar.textSchema,
    ...(place === 'query' && { explode: true, allowReserved: true, allowEmptyValue: true }),
  };
}
type openApiDocument = Parameters<typeof openApi.middleware>[0]['apiSpec'];

/** The query for express-openapi-validator, with its names and exploded lists. */
function askedQuery(inQuery: readonly Asked[], sent: ReadonlyMap<string, readonly string[]>): string {
  const pairs: string[] = [];
  for (const { name, alias, isList, explode } of inQuery) {
    const texts = sent.get(name) ?? [];
    if (texts.length > 1 && !(isList && explode)) throw invalidRequest(`${name} is sent twice`);
    // A comma inside a value is percent-encoded, a separator is not.
    const values = isList && !explode ? texts.flatMap((text) => text.split(',')) : texts;
    for (const value of values) pairs.push(`${alias}=${value}`);
  }
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

function run(stage: RequestHandler, req: Request): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = (error?: Error) => {
      if (error) reject(error);
      else resolve();
    };
    // It writes no response: it passes errors to `next`.
    void stage(req, undefined as unknown as Response, next as NextFunction);
  });
}

/** Converts valid texts to values. Throws an ApiError if a number is out of bounds. */
function valuesOf(parameters: readonly Asked[], texts: Readonly<Record<string, unknown>>): Values {
  const values: Values = {};
  for (const { name, alias, schema, isList, scalar } of parameters) {
    const sent = texts[alias];
    const read = (text: unknown): unknown => {
      const value = scalar.read(String(text));
      if (value instanceof OutOfBounds) throw invalidRequest(`${name} must be ${value.wanted}`);
      return value;
    };
    const value = sent === undefined ? defaultOf(schema) : isList ? [sent].flat().map(read) : read(sent);
    if (value !== undefined) values[name] = value;
  }
  return values;
}

function defaultOf(schema: JsonObject): unknown {
  const { default: value, format } = schema;
  return format === 'int64' && typeof value === 'number' ? BigInt(value) : value;
}

/** The client's message for an error of the validator; other errors unchanged. */
function refusalOf(error: unknown, asked: readonly Asked[]): unknown {
  if (!(error instanceof openApi.error.BadRequest)) return error;
  // For a nullable parameter, report the alternative that is not the empty text.
  const found =
    error.errors.find(({ errorCode = '' }) => !/^(?:const|anyOf)\./.test(errorCode)) ?? error.errors[0];
  if (!found) return invalidRequest(error.message);
  const [, , alias = ''] = found.path.split('/');
  const name = asked.find((parameter) => parameter.alias === alias)?.name ?? alias;
  return invalidRequest(`${name} ${wrongIn(found.message)}`);
}

function wrongIn(message: string): string {
  if (message.startsWith('must have required property')) return 'is missing';
  const format = /^must match format "(.*)"$/.exec(message)?.[1];
  const wanted = format === undefined ? undefined : wantedBy(format);
  return wanted === undefined ? message : `must be ${wanted}`;
}
