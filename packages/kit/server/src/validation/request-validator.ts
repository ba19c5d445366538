import type { Contract, Operation } from '@kit/contract';
import { credentialOf } from '@kit/contract/credential';
import { isOpen, modelOf, type Parameter } from '@kit/contract/model';
import type { Request, Response } from 'express';
import { invalidRequest } from '../http/api-error.ts';
import { headerValues } from '../http/headers.ts';
import { createOpenApiMiddleware, validatedIn, valueIn, type Validated } from './openapi-middleware.ts';
import { queryTexts } from './query-texts.ts';
import { defaultOf, OutOfBounds } from './scalar.ts';
import { sentSchemas } from './sent-schemas.ts';
import { decoded, textsOf, structuredParameter, type ParameterTexts } from './structured-parameter.ts';

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

interface Match {
  readonly operationId: string;
  readonly pathParams: Readonly<Record<string, string>>;
}

/** The parameters of a request. Throws an ApiError, or rejects with one, if they are invalid. */
export type RequestValidator = (
  req: Request,
  res: Response,
  match: Match,
) => ParameterValues | Promise<ParameterValues>;

const NO_VALUES: ParameterValues = { path: {}, query: {}, headers: {}, cookies: {} };

/** Creates a validator of the parameters of each operation. Rejects if one cannot be created. */
export async function createRequestValidator(contract: Contract): Promise<RequestValidator> {
  const validatorOf = validatorsOf(contract);
  const validators = new Map<string, RequestValidator>();
  for (const [id, operation] of Object.entries(contract.operations)) {
    const created = validatorOf(operation).catch((error: unknown) => {
      throw new Error(`the parameters of ${id} cannot be validated: ${String(error)}`, { cause: error });
    });
    validators.set(id, await created);
  }
  return (req, res, match) => {
    const validate = validators.get(match.operationId);
    if (!validate) throw new Error(`${match.operationId} has no validator`);
    return validate(req, res, match);
  };
}

function validatorsOf({ document, basePath }: Contract): (operation: Operation) => Promise<RequestValidator> {
  const model = modelOf(document);
  const compile = sentSchemas(document);

  return async (operation) => {
    const described = model.operationAt(operation);
    const { method, path, parameters, security } = described;
    const validated = validatedIn(path, parameters);
    // What express-openapi-validator misreads: objects, unions, lists outside of queries, other styles.
    const structured = parameters
      .filter((parameter) => !validated.some(({ pointer }) => pointer === parameter.pointer))
      .map((parameter) => structuredParameter(parameter, model.schemas, compile));
    // An open operation recognizes any key, so that its requests count for the key.
    const credentials = isOpen(described)
      ? [...model.schemes.values()].flatMap((scheme) => credentialOf(scheme) ?? [])
      : security.flat().flatMap(({ credential }) => credential ?? []);
    const inQuery = [...validated, ...credentials].filter((item) => item.in === 'query');
    const names = new Set(inQuery.map(({ name }) => name));
    const declared = {
      has: (name: string) => names.has(name) || structured.some((parameter) => parameter.hasName(name)),
    };
    const run =
      validated.length > 0 ? await createOpenApiMiddleware(method, basePath + path, validated) : undefined;

    async function validate(req: Request, res: Response, texts: ParameterTexts): Promise<ParameterValues> {
      const values: Record<Parameter['in'], Values> = { path: {}, query: {}, header: {}, cookie: {} };
      const put = ({ in: place, name }: Parameter, value: unknown) => {
        if (value !== undefined) values[place][name] = value;
      };
      parse(req, validated, texts);
      await run?.(req, res, texts.path);
      for (const parameter of validated) put(parameter, valueOf(parameter, valueIn(req, parameter)));
      for (const { parameter, read } of structured) {
        const isOther = (name: string) =>
          names.has(name) || structured.some((item) => item.parameter !== parameter && item.hasName(name));
        put(parameter, read(texts, isOther));
      }
      return { path: values.path, query: values.query, headers: values.header, cookies: values.cookie };
    }

    return (req, res, { pathParams }) => {
      // Before it, which reads `tags[]=a` as the list `tags`.
      const query = queryTexts(req.url, declared);
      if (parameters.length === 0) return NO_VALUES;
      return validate(req, res, {
        path: pathParams,
        query,
        header: (name) => headerValues(req, name.toLowerCase()),
        cookie: (name) => cookieIn(req.headers.cookie, name),
      });
    };
  };
}

/**
 * Parses query and cookies for express-openapi-validator. Express drops the names after the thousandth, decodes lists
 * before they are split, and has no cookies. Throws an ApiError if a value is sent twice.
 */
function parse(req: Request, validated: readonly Validated[], texts: ParameterTexts): void {
  const parsed = { query: Object.create(null) as Values, cookie: Object.create(null) as Values };
  for (const { name, in: place, isList, explode } of validated) {
    const sent = textsOf(texts, place, name);
    if (sent.length > 1 && !(isList && explode)) throw invalidRequest(`${name} is sent twice`);
    if (sent.length === 0 || (place !== 'query' && place !== 'cookie')) continue;
    // A comma inside a value is percent-encoded, a separator is not.
    const separate = isList && !explode ? sent.flatMap((text) => text.split(',')) : sent;
    const values = separate.map((text) => decoded(text, place));
    parsed[place][name] = isList ? values : values[0];
  }
  Object.defineProperty(req, 'query', { value: parsed.query, writable: true, configurable: true });
  req.cookies = parsed.cookie;
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

/** The value of a parameter, or its default. Throws an ApiError for what express-openapi-validator cannot tell. */
function valueOf({ name, schema, isList, scalar }: Validated, valid: unknown): unknown {
  const read = (item: unknown): unknown => {
    const value = scalar.read(String(item));
    if (value instanceof OutOfBounds) throw invalidRequest(`${name} must be ${value.wanted}`);
    return value;
  };
  if (valid === undefined) return defaultOf(schema);
  return isList ? [valid].flat().map(read) : read(valid);
}
