import { createHash } from 'node:crypto';
import type { Contract } from '@kit/contract';
import { isPlain, modelOf, type Parameter } from '@kit/contract/model';
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
import { headerValues } from '../http/headers.ts';
import { queryTexts } from './query-texts.ts';
import {
  decoded,
  textsOf,
  structuredParameter,
  type ParameterTexts,
  type StructuredParameter,
} from './structured-parameter.ts';
import {
  defaultOf,
  OutOfBounds,
  scalarOf,
  STRING_FORMATS,
  textFormats,
  wantedBy,
  type Scalar,
} from './scalar.ts';
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
export async function createRequestValidator({ document, operations }: Contract): Promise<RequestValidator> {
  const model = modelOf(document);
  const compile = sentSchemas(document);
  const failed = (id: string, error: unknown) =>
    new Error(`the parameters of ${id} cannot be validated: ${String(error)}`, { cause: error });
  const inputs = Object.entries(operations).map(([id, operation]): [string, Input] => {
    try {
      const { parameters, security } = model.operationAt(operation);
      const plain = parameters.filter(isPlain);
      const structured = parameters.filter((parameter) => !isPlain(parameter));
      const asked = plain.map(askedOf);
      const described = JSON.stringify(asked.map(describedFor));
      const input = {
        method: createHash('sha1').update(described).digest('hex'),
        asked,
        structured: structured.map((parameter) => structuredParameter(parameter, model.schemas, compile)),
        credentials: security
          .flat()
          .flatMap(({ credential }) => (credential?.in === 'query' ? [credential.name] : [])),
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
  const inQuery = asked.filter((parameter) => parameter.in === 'query');
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
  async function ask(query: Values): Promise<Values> {
    const url = { baseUrl: '', path: '/', originalUrl: '/' };
    const request = { app, method, ...url, headers: {}, params: {}, query } as unknown as Request;
    for (const stage of stages) await run(stage as RequestHandler, request);
    // Without this property it has skipped the request.
    if (!('openapi' in request)) throw new Error(`express-openapi-validator does not know ${method}`);
    return request.query;
  }

  if (asked.length > 0)
    await ask({}).catch((error: unknown) => {
      if (!(error instanceof openApi.error.BadRequest)) throw error;
    });

  return async (req, path) => {
    const texts: ParameterTexts = {
      path,
      query: queryTexts(req.url, declared),
      header: (name) => headerValues(req, name.toLowerCase()),
      cookie: (name) => cookieIn(req.headers.cookie, name),
    };
    const values: Record<Parameter['in'], Values> = { path: {}, query: {}, header: {}, cookie: {} };
    const put = ({ in: place, name }: Parameter, value: unknown) => {
      if (value !== undefined) values[place][name] = value;
    };
    try {
      const valid = asked.length > 0 ? await ask(askedQuery(asked, texts)) : {};
      for (const parameter of asked) put(parameter, valueOf(parameter, valid[parameter.alias]));
      for (const { parameter, read } of structured) {
        const isOther = (name: string) =>
          names.has(name) || structured.some((item) => item.parameter !== parameter && item.hasName(name));
        put(parameter, read(texts, isOther));
      }
    } catch (error) {
      throw refusalOf(error, asked);
    }
    return { path: values.path, query: values.query, headers: values.header, cookies: values.cookie };
  };
}

/** RFC 6265 §4.2.1. The first one of a name counts. */
function cookieIn(header = '', name: string): string[] {
  for (const pair of header.split(';')) {
    const [own = '', ...rest] = pair.split('=');
    if (own.trim() === name)
      return [
        rest
          .join('=')
          .trim()
          .replace(/^"(.*)"$/, '$1'),
      ];
  }
  return [];
}

function askedOf(parameter: Parameter, index: number): Asked {
  const { schema } = parameter;
  const isList = schema['type'] === 'array';
  const scalar = scalarOf(isList ? (schema['items'] as JsonObject) : schema);
  return { ...parameter, alias: `p${index}`, isList, scalar };
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
 * The document for express-openapi-validator. Operations are methods of one path, because the library compiles the
 * patterns of paths on every request. All parameters are in the query, under other names, because it interprets brackets,
 * dashes and wildcards in names; lists are exploded, because it splits encoded commas.
 */
function documentOf(inputs: readonly Input[]) {
  const operations = inputs.map(({ method, asked }) => {
    return [method, { parameters: asked.map(describedFor), responses: {} }];
  });
  return {
    openapi: '3.1.0' as const,
    info: { title: '', version: '' },
    components: {},
    webhooks: {},
    paths: { '/': Object.fromEntries(operations) as JsonObject },
  } as unknown as openApiDocument;
}

function describedFor({ alias, required, schema, isList, scalar }: Asked): JsonObject {
  return {
    name: alias,
    in: 'query',
    required,
    schema: isList ? { ...schema, default: undefined, items: scalar.textSchema } : scalar.textSchema,
    ...{ explode: true, allowReserved: true, allowEmptyValue: true },
  };
}
type openApiDocument = Parameters<typeof openApi.middleware>[0]['apiSpec'];

/** The query for express-openapi-validator. */
function askedQuery(asked: readonly Asked[], texts: ParameterTexts): Values {
  const query: Values = {};
  for (const { name, alias, in: place, isList, explode } of asked) {
    const sent = textsOf(texts, place, name);
    if (sent.length > 1 && !(isList && explode)) throw invalidRequest(`${name} is sent twice`);
    // A comma inside a value is percent-encoded, a separator is not.
    const separate = isList && !explode ? sent.flatMap((text) => text.split(',')) : sent;
    const values = separate.map((text) => decoded(text, place));
    if (values.length > 0) query[alias] = isList ? values : values[0];
  }
  return query;
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

/** Converts a valid text, or a list of them, to a value. Throws an ApiError if a number is out of bounds. */
function valueOf({ name, schema, isList, scalar }: Asked, sent: unknown): unknown {
  const read = (text: unknown): unknown => {
    const value = scalar.read(String(text));
    if (value instanceof OutOfBounds) throw invalidRequest(`${name} must be ${value.wanted}`);
    return value;
  };
  if (sent === undefined) return defaultOf(schema);
  return isList ? [sent].flat().map(read) : read(sent);
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
