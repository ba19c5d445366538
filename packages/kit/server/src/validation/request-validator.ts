import { parse } from 'node:querystring';
import type { Contract, Operation } from '@kit/contract';
import {
  dereferenced,
  describedOperation,
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
  isPlain,
  structuredParameter,
  type ParameterTexts,
  type StructuredParameter,
} from './structured-parameter.ts';
import { OutOfBounds, scalarOf, STRING_FORMATS, textFormats, wantedBy, type Scalar } from './scalar.ts';
import { sentSchemas } from './sent-schemas.ts';

/** Values by the names that the contract gives them. One that was not sent and has no default is absent. */
type Values = Record<string, unknown>;

/** The parameters of a request as values of the types that the contract gives them: int64 are bigint. */
export interface ParameterValues {
  readonly path: Values;
  readonly query: Values;
  readonly headers: Values;
  readonly cookies?: Values;
}

/** A request that keeps to the contract, as its handler is given it. */
export interface ValidInput extends ParameterValues {
  readonly body: unknown;
}

/** Resolves to the parameters of a request. Throws an ApiError if they break the contract. */
export type RequestValidator = (
  req: Request,
  operation: { readonly operationId: string; readonly pathParams: Readonly<Record<string, string>> },
) => Promise<ParameterValues>;

/** A parameter, and the name that express-openapi-validator knows it by. */
interface Asked extends Parameter {
  readonly alias: string;
  readonly isList: boolean;
  readonly scalar: Scalar;
}

const NO_VALUES: ParameterValues = { path: {}, query: {}, headers: {} };

/**
 * Makes a validator of the parameters of each operation, with an express-openapi-validator for each one, because one for
 * all compiles the patterns of all paths anew on every request. Rejects if one cannot be made.
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
  const app = express();
  const compile = sentSchemas(document);
  const validators = new Map<string, Validator | undefined>();

  async function compiled(id: string, operation: Operation): Promise<Validator | undefined> {
    const { parameters } = describedOperation(document, operation);
    const credentials = credentialsOf(id);
    if (parameters.length === 0 && credentials.length === 0) return undefined;
    const structured = parameters.filter((each) => !isPlain(each));
    const validator = createValidator(operation.method, parameters.filter(isPlain), {
      structured: structured.map((each) => structuredParameter(each, document, compile)),
      credentials,
    });
    await validator.compile(app);
    return validator;
  }

  for (const [id, operation] of Object.entries(operations)) {
    try {
      validators.set(id, await compiled(id, operation));
    } catch (error) {
      throw new Error(`the parameters of ${id} cannot be validated: ${String(error)}`, { cause: error });
    }
  }
  return async (req, { operationId, pathParams }) => {
    if (!validators.has(operationId)) throw new Error(`${operationId} is no operation that can be validated`);
    const validator = validators.get(operationId);
    if (validator) return validator.validate(req, pathParams);
    queryTexts(req.url, new Set());
    return NO_VALUES;
  };
}

interface Validator {
  /** Has everything compiled that the first request would compile. Rejects if something cannot be. */
  compile(app: Application): Promise<void>;
  validate(req: Request, pathParams: Readonly<Record<string, string>>): Promise<ParameterValues>;
}

interface OtherInput {
  /** What express-openapi-validator is not asked about. */
  readonly structured: readonly StructuredParameter[];
  /** Query parameters that carry keys. */
  readonly credentials: readonly string[];
}

function createValidator(
  method: string,
  parameters: readonly Parameter[],
  { structured, credentials }: OtherInput,
): Validator {
  const asked = parameters.map(askedOf);
  const inPath = asked.filter((parameter) => parameter.in === 'path');
  const inQuery = asked.filter((parameter) => parameter.in === 'query');
  const inHeaders = asked.filter((parameter) => parameter.in === 'header');
  const names = new Set([...inQuery.map(({ name }) => name), ...credentials]);
  const declared = {
    has: (name: string) => names.has(name) || structured.some((each) => each.hasName(name)),
  };
  const stages = asked.length === 0 ? [] : openApi.middleware(optionsFor(method, asked));

  /** Asks about a request of the same parameters, and of nothing else: it caches what it compiles by Content-Type. */
  async function ask(app: Application, url: string, headers: Record<string, string>): Promise<Request> {
    const search = url.indexOf('?');
    const request = {
      app,
      baseUrl: '',
      path: search === -1 ? url : url.slice(0, search),
      method,
      originalUrl: url,
      headers,
      params: {},
      // A limit would leave values out without a word.
      query: search === -1 ? {} : parse(url.slice(search + 1), '&', '=', { maxKeys: 0 }),
    } as unknown as Request;
    for (const stage of stages) await run(stage as RequestHandler, request);
    // Without this note it has let the request pass unseen.
    if (asked.length > 0 && !('openapi' in request))
      throw new Error(`express-openapi-validator does not know ${url}`);
    return request;
  }

  return {
    async compile(app) {
      const path = inPath.map(() => '/0').join('');
      await ask(app, path || '/', {}).catch((error: unknown) => {
        if (!(error instanceof openApi.error.BadRequest)) throw error;
      });
    },
    async validate(req, pathParams) {
      const path = inPath.map(({ name }) => `/${encodeURIComponent(pathParams[name] ?? '')}`).join('');
      const texts = queryTexts(req.url, declared);
      const query = askedQuery(inQuery, texts);
      const headers: Record<string, string> = {};
      for (const { name, alias } of inHeaders) {
        const text = req.headers[alias];
        if (text !== undefined && countHeader(req, alias) > 1) throw invalidRequest(`${name} is sent twice`);
        if (typeof text === 'string') headers[alias] = text;
      }
      try {
        const valid = await ask(req.app, `${path || '/'}${query}`, headers);
        const values = {
          path: valuesOf(inPath, valid.params),
          query: valuesOf(inQuery, valid.query),
          headers: valuesOf(inHeaders, valid.headers),
        };
        return structured.length > 0
          ? withStructured(values, structured, req, { path: pathParams, query: texts })
          : values;
      } catch (error) {
        throw refusalOf(error, asked);
      }
    },
  };
}

/** `values` with those of `structured` parameters, each in its place. */
function withStructured(
  values: ParameterValues,
  structured: readonly StructuredParameter[],
  req: Request,
  { path, query }: Pick<ParameterTexts, 'path' | 'query'>,
): ParameterValues {
  const cookies: Values = {};
  const places = { path: values.path, query: values.query, header: values.headers, cookie: cookies };
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
  return structured.some(({ parameter }) => parameter.in === 'cookie') ? { ...values, cookies } : values;
}

/** RFC 6265 §4.2.1. The first of a name counts. */
function cookiesOf(header = ''): Map<string, string> {
  const pairs = header.split(';').map((pair): [string, string] => {
    const [name = '', ...rest] = pair.split('=');
    return [
      name.trim(),
      rest
        .join('=')
        .trim()
        .replace(/^"(.*)"$/, '$1'),
    ];
  });
  return new Map(pairs.toReversed());
}

function askedOf(parameter: Parameter, index: number): Asked {
  const { name, in: place, schema } = parameter;
  const isList = schema['type'] === 'array';
  const scalar = scalarOf(isList ? (schema['items'] as JsonObject) : schema);
  return { ...parameter, alias: place === 'header' ? name.toLowerCase() : `p${index}`, isList, scalar };
}

const optionsFor = (method: string, asked: readonly Asked[]): Parameters<typeof openApi.middleware>[0] => ({
  apiSpec: documentOf(method, asked),
  validateApiSpec: false,
  // So that a list of one empty text is a list.
  validateRequests: { coerceTypes: 'array' },
  validateSecurity: false,
  fileUploader: false,
  ajvFormats: { mode: 'full' },
  formats: { ...STRING_FORMATS, ...textFormats },
});

/**
 * The document that express-openapi-validator is given for one operation. Its parameters have other names, because it
 * reads brackets, dashes and wildcards in names in its own way; each list is exploded, because it splits encoded commas.
 */
function documentOf(method: string, asked: readonly Asked[]) {
  const path = asked.filter((parameter) => parameter.in === 'path').map(({ alias }) => `/{${alias}}`);
  const parameters = asked.map(({ in: place, alias, required, schema, isList, scalar }) => {
    return {
      name: alias,
      in: place,
      required,
      schema: isList ? { ...schema, default: undefined, items: scalar.textSchema } : scalar.textSchema,
      ...(place === 'query' && { explode: true, allowReserved: true, allowEmptyValue: true }),
    };
  });
  return {
    openapi: '3.1.0' as const,
    info: { title: '', version: '' },
    components: {},
    webhooks: {},
    paths: { [path.join('') || '/']: { [method.toLowerCase()]: { parameters, responses: {} } } },
  } as unknown as openApiDocument;
}
type openApiDocument = Parameters<typeof openApi.middleware>[0]['apiSpec'];

/** The query with the names and the exploded lists that express-openapi-validator knows. */
function askedQuery(inQuery: readonly Asked[], sent: ReadonlyMap<string, readonly string[]>): string {
  const pairs: string[] = [];
  for (const { name, alias, isList, explode } of inQuery) {
    const texts = sent.get(name) ?? [];
    if (texts.length > 1 && !(isList && explode)) throw invalidRequest(`${name} is sent twice`);
    // A comma within a value is percent-encoded, those between them are not.
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
    // It writes no response: what it refuses it hands to `next`.
    void stage(req, undefined as unknown as Response, next as NextFunction);
  });
}

/** Makes values of texts that keep to the contract but for the bounds of numbers. Throws an ApiError for those. */
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

/** What the client is told of an error of the validator; an error of another kind as it is. */
function refusalOf(error: unknown, asked: readonly Asked[]): unknown {
  if (!(error instanceof openApi.error.BadRequest)) return error;
  // Of a nullable parameter the empty text is one alternative: what counts is the other one.
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
