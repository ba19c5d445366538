import type { Contract, Operation } from '@contract-kit/core';
import { credentialOf } from '@contract-kit/core/credential';
import { isOpen, modelOf, type Parameter } from '@contract-kit/core/model';
import type { Request, Response } from 'express';
import type { ApiError } from '../http/api-error.ts';
import { headerValues } from '../http/headers.ts';
import { createOpenApiMiddleware, validatedIn, valueIn, type Validated } from './openapi-middleware.ts';
import { queryTexts } from './query-texts.ts';
import { defaultOf, OutOfBounds } from './scalar.ts';
import { sentSchemas } from './sent-schemas.ts';
import { invalidParameter, rejectionOf, violationsOf } from './violations.ts';
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

/** Reads the parameters of a request of one operation. Throws an ApiError, or rejects with one, if they are invalid. */
export type ParameterReader = (
  req: Request,
  res: Response,
  /** Percent-encoded, as they are written. */
  pathParams: Readonly<Record<string, string>>,
) => ParameterValues | Promise<ParameterValues>;

/** Creates a reader of the parameters of each operation, by operationId. Rejects if one cannot be created. */
export async function createParameterReaders(
  contract: Contract,
): Promise<ReadonlyMap<string, ParameterReader>> {
  const readerOf = readersOf(contract);
  const readers = new Map<string, ParameterReader>();
  for (const [id, operation] of Object.entries(contract.operations)) {
    const created = readerOf(operation).catch((error: unknown) => {
      throw new Error(`the parameters of ${id} cannot be validated: ${String(error)}`, { cause: error });
    });
    readers.set(id, await created);
  }
  return readers;
}

function readersOf({ document, basePath }: Contract): (operation: Operation) => Promise<ParameterReader> {
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

    // A parameter that was not sent must not be a member of every object.
    const isInherited = parameters.some(({ name }) => name in Object.prototype);
    const newPlace = (): Values => (isInherited ? (Object.create(null) as Values) : {});
    const isOther = (parameter: Parameter) => (name: string) =>
      names.has(name) || structured.some((item) => item.parameter !== parameter && item.hasName(name));

    function valuesOf(req: Request, texts: ParameterTexts): ParameterValues {
      const values: Record<Parameter['in'], Values> = {
        path: newPlace(),
        query: newPlace(),
        header: newPlace(),
        cookie: newPlace(),
      };
      for (const parameter of validated) {
        const value = valueOf(parameter, valueIn(req, parameter));
        if (value !== undefined) values[parameter.in][parameter.name] = value;
      }
      for (const { parameter, read } of structured) {
        const value = read(texts, isOther(parameter));
        if (value !== undefined) values[parameter.in][parameter.name] = value;
      }
      return { path: values.path, query: values.query, headers: values.header, cookies: values.cookie };
    }

    /** Throws the rejection for `error` and all else. The values of `validated` can be read only after `run`. */
    function reject(error: unknown, req: Request, texts: ParameterTexts, isRun: boolean): never {
      throw rejectionOfAll(error, [
        ...(isRun ? validated : []).map((parameter) => () => valueOf(parameter, valueIn(req, parameter))),
        ...structured.map(
          ({ parameter, read }) =>
            () =>
              read(texts, isOther(parameter)),
        ),
      ]);
    }

    function readValues(req: Request, texts: ParameterTexts): ParameterValues {
      try {
        return valuesOf(req, texts);
      } catch (error) {
        return reject(error, req, texts, true);
      }
    }

    return (req, res, pathParams) => {
      // Before it, which reads `tags[]=a` as the list `tags`.
      const query = queryTexts(req.url, declared);
      if (parameters.length === 0) return { path: {}, query: {}, headers: {}, cookies: {} };
      const texts = new RequestTexts(req, pathParams, query);
      try {
        parse(req, validated, texts);
      } catch (error) {
        return reject(error, req, texts, false);
      }
      if (!run) return readValues(req, texts);
      return run(req, res, pathParams).then(
        () => readValues(req, texts),
        (error: unknown) => reject(error, req, texts, false),
      );
    };
  };
}

/** The texts of a request. A class, because closures for each request would take as long as the rest. */
class RequestTexts implements ParameterTexts {
  readonly #req: Request;
  readonly path: ParameterTexts['path'];
  readonly query: ParameterTexts['query'];

  constructor(req: Request, path: ParameterTexts['path'], query: ParameterTexts['query']) {
    this.#req = req;
    this.path = path;
    this.query = query;
  }

  header(name: string): string[] {
    return headerValues(this.#req, name.toLowerCase());
  }

  cookie(name: string): string[] {
    return cookiesIn(this.#req.headers.cookie, name);
  }
}

/** The rejection for `error` and for whatever else the readers of a request's parameters find. */
function rejectionOfAll(error: unknown, readers: readonly (() => unknown)[]): ApiError {
  const all = [...violationsOf(error)];
  for (const read of readers)
    try {
      read();
    } catch (other) {
      all.push(...violationsOf(other));
    }
  return rejectionOf([...new Map(all.map((violation) => [JSON.stringify(violation), violation])).values()]);
}

/**
 * Parses query and cookies for express-openapi-validator. Express drops the names after the thousandth, decodes lists
 * before they are split, and has no cookies. Throws an ApiError if a value is sent twice.
 */
function parse(req: Request, validated: readonly Validated[], texts: ParameterTexts): void {
  // No name is inherited: see `validatedIn`.
  const parsed: Record<'query' | 'cookie', Values> = { query: {}, cookie: {} };
  for (const { name, in: place, isList, explode } of validated) {
    const sent = textsOf(texts, place, name);
    if (sent.length > 1 && !(isList && explode)) throw invalidParameter(name, 'is sent twice');
    if (sent.length === 0 || (place !== 'query' && place !== 'cookie')) continue;
    // A comma inside a value is percent-encoded, a separator is not.
    const separate = isList && !explode ? sent.flatMap((text) => text.split(',')) : sent;
    const values = separate.map((text) => decoded(text, place));
    parsed[place][name] = isList ? values : values[0];
  }
  Object.defineProperty(req, 'query', { value: parsed.query, writable: true, configurable: true });
  req.cookies = parsed.cookie;
}

/** The cookies of a name (RFC 6265 §4.2.1). */
function cookiesIn(header = '', name: string): string[] {
  return header.split(';').flatMap((pair) => {
    const [own = '', ...rest] = pair.split('=');
    if (own.trim() !== name) return [];
    const text = rest.join('=').trim();
    return text.replace(/^"(.*)"$/, '$1');
  });
}

/** The value of a parameter, or its default. Throws an ApiError for what express-openapi-validator cannot tell. */
function valueOf({ name, schema, isList, scalar }: Validated, valid: unknown): unknown {
  const read = (item: unknown): unknown => {
    const value = scalar.read(String(item));
    if (value instanceof OutOfBounds) throw invalidParameter(name, `must be ${value.wanted}`);
    return value;
  };
  if (valid === undefined) return defaultOf(schema);
  return isList ? [valid].flat().map(read) : read(valid);
}
