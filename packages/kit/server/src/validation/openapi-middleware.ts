// First: it changes what express-openapi-validator loads.
import './no-openapi-schemas.ts';
import { isPlain, isScalar, type Parameter } from '@contract-kit/core/model';
import type { JsonObject } from '@contract-kit/core/json-pointer';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import * as openApi from 'express-openapi-validator';
import { invalidRequest } from '../http/api-error.ts';
import { rejectionOf } from './violations.ts';
import { constraintsIn, scalarOf, STRING_FORMATS, textFormats, wantedBy, type Scalar } from './scalar.ts';

/** A parameter that express-openapi-validator validates: a scalar, or a list of scalars in a query. */
export interface Validated extends Parameter {
  readonly isList: boolean;
  readonly scalar: Scalar;
}

/** Where Express has the values of a place. */
const FIELDS = { path: 'params', query: 'query', header: 'headers', cookie: 'cookies' } as const;

/** Validates a request whose query and cookies are parsed. Rejects with an ApiError if it is invalid. */
type Validate = (req: Request, res: Response, pathParams: Readonly<Record<string, string>>) => Promise<void>;

/** The parameters of an operation that express-openapi-validator reads exactly. */
export function validatedIn(path: string, parameters: readonly Parameter[]): Validated[] {
  const named = path.split('/').flatMap((segment) => nameIn(segment) ?? []);
  return parameters
    .filter((parameter) => {
      const { in: place, name, style, content, schema } = parameter;
      // It reads `filter[age]` as the field of an object, and finds `constructor` in every object.
      if (name.includes('[') || name in Object.prototype) return false;
      if (place === 'cookie') return style === 'form' && content === undefined && isScalar(schema);
      return isPlain(parameter) && (place !== 'path' || named.includes(name));
    })
    .map((parameter) => {
      const { schema } = parameter;
      const isList = schema['type'] === 'array';
      return { ...parameter, isList, scalar: scalarOf(isList ? (schema['items'] as JsonObject) : schema) };
    });
}

/** Where Express has the value of a parameter. */
export function valueIn(req: Request, { in: place, name }: Parameter): unknown {
  const values = req[FIELDS[place]] as Readonly<Record<string, unknown>> | undefined;
  const key = keyOf(place, name);
  const value = values?.[key];
  // It is sent in UTF-8 (WHATWG HTML §9.2.3), and Node.js reads headers as Latin-1.
  const isUtf8 = place === 'header' && key === 'last-event-id' && typeof value === 'string';
  return isUtf8 ? Buffer.from(value, 'latin1').toString() : value;
}

/** Node.js has headers in lower case. */
function keyOf(place: Parameter['in'], name: string): string {
  return place === 'header' ? name.toLowerCase() : name;
}

/**
 * The middleware of express-openapi-validator for one operation, because that of a whole contract compiles the patterns
 * of all paths on each request. Rejects if it cannot be compiled.
 */
export async function createOpenApiMiddleware(
  method: string,
  path: string,
  validated: readonly Validated[],
): Promise<Validate> {
  // It answers HEAD with 405 (RFC 9110 §9.3.2).
  const methods = method === 'GET' ? ['GET', 'HEAD'] : [method];
  const stages = openApi.middleware({
    apiSpec: documentOf(methods, path, validated),
    validateApiSpec: false,
    // It accepts any token, and answers errors of a handler with their texts: see requireSecurity.
    validateSecurity: false,
    validateRequests: { allErrors: true },
    // It keeps files in memory, without limits.
    fileUploader: false,
    // Its own ones accept 2020-13-01 as a date.
    formats: { ...STRING_FORMATS, ...textFormats },
    useRequestUrl: true,
  }) as RequestHandler[];

  /** Calls `settle` once, with the first error or without one. */
  function run(req: Request, res: Response, settle: (error?: Error) => void): void {
    let index = 0;
    const next = (error?: Error): void => {
      const stage = error ? undefined : stages[index++];
      if (stage) void stage(req, res, next as NextFunction);
      else settle(error);
    };
    next();
  }
  const urlOf = (valueOf: (name: string) => string) =>
    path.replaceAll(/\{([^}]*)\}/g, (_, name: string) => valueOf(name));

  // It compiles at the first request, and answers all with 500 if it cannot.
  const url = urlOf(() => '0');
  const request = {
    ...{ app: express(), method, url, originalUrl: url, path: url, baseUrl: '' },
    ...{ headers: {}, query: {} },
  };
  await new Promise<void>((resolve, reject) => {
    run(request as unknown as Request, {} as Response, (error) => {
      if (!error || error instanceof openApi.error.BadRequest) resolve();
      else reject(error);
    });
  });

  return (req, res, pathParams) =>
    new Promise((resolve, reject) => {
      const { url } = req;
      const { 'content-type': contentType } = req.headers;
      // It matches literal text only as it is written, although clients may encode it (RFC 3986 §2.3).
      if (url.includes('%')) req.url = urlOf((name) => pathParams[name] ?? '');
      // It keeps a validator for each media type that it has seen.
      if (contentType !== undefined) delete req.headers['content-type'];
      run(req, res, (error) => {
        req.url = url;
        if (contentType !== undefined) req.headers['content-type'] = contentType;
        if (error) reject(rejectionFor(error, validated));
        // Without this property it has skipped the request.
        else if ('openapi' in req) resolve();
        else reject(new Error(`express-openapi-validator does not know ${method} ${path}`));
      });
    });
}

/** Without bodies, which it validates neither exactly nor safely: see docs/decisions/0006. */
function documentOf(methods: readonly string[], path: string, validated: readonly Validated[]) {
  const operation = { parameters: validated.map(describedFor), responses: {} };
  const item = Object.fromEntries(methods.map((method) => [method.toLowerCase(), operation]));
  return {
    openapi: '3.1.0' as const,
    info: { title: '', version: '' },
    components: {},
    webhooks: {},
    paths: { [path.split('/').map(patternOf).join('/')]: item },
  } as unknown as Parameters<typeof openApi.middleware>[0]['apiSpec'];
}

function describedFor({
  name,
  in: place,
  required,
  schema,
  style,
  explode,
  isList,
  scalar,
}: Validated): JsonObject {
  return {
    ...{ name, in: place, required, style, explode },
    schema: isList ? { ...constraintsIn(schema), items: scalar.schema } : scalar.schema,
    // Otherwise it wants `:` in a time encoded, and a text that is not empty.
    ...(place === 'query' && { allowReserved: true, allowEmptyValue: true }),
  };
}

/** The parameter of a segment that has one, with a name that is safe in a pattern. */
function nameIn(segment: string): string | undefined {
  return /^[^{}]*\{([^{}":*?\\]+)\}[^{}]*$/.exec(segment)?.[1];
}

/** A segment of a path for path-to-regexp, in which `{order-id}` would be `order` and `(` a fault. */
function patternOf(segment: string, index: number): string {
  const escaped = (text: string) => text.replaceAll(/[()[\]?+!*\\]/g, String.raw`\$&`);
  const name = nameIn(segment);
  if (name !== undefined) return segment.split(`{${name}}`).map(escaped).join(`{"${name}"}`);
  // Of several parameters in a segment it splits the last off first, other than the router.
  return segment.includes('{') ? `{"segment ${index}"}` : escaped(segment);
}

/** The ApiError for an error of express-openapi-validator, with all that is wrong; other errors unchanged. */
function rejectionFor(error: Error, validated: readonly Validated[]): Error {
  if (!(error instanceof openApi.error.BadRequest)) return error;
  // For a nullable parameter, report the alternative that is not the empty text.
  const meant = error.errors.filter(({ errorCode = '' }) => !/^(?:const|anyOf)\./.test(errorCode));
  // A text that is no number also breaks the limits for numbers.
  const misshapen = meant.filter(({ errorCode = '' }) => errorCode.startsWith('format.'));
  const told = meant.filter(
    (fault) => misshapen.includes(fault) || !misshapen.some(({ path }) => path === fault.path),
  );
  const found = told.length > 0 ? told : error.errors.slice(0, 1);
  if (found.length === 0) return invalidRequest(error.message);
  return rejectionOf(
    found.map((fault) => {
      const place = fault.path.replaceAll('~1', '/').replaceAll('~0', '~');
      const parameter = validated.find(({ in: at, name }) =>
        `${place}/`.startsWith(`/${FIELDS[at]}/${keyOf(at, name)}/`),
      );
      return { parameter: parameter?.name ?? place, pointer: '', message: wrongIn(fault.message) };
    }),
  );
}

function wrongIn(message: string): string {
  if (message.startsWith('must have required property')) return 'is missing';
  const format = /^must match format "(.*)"$/.exec(message)?.[1];
  const wanted = format === undefined ? undefined : wantedBy(format);
  return wanted === undefined ? message : `must be ${wanted}`;
}
