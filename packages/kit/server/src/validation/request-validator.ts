import { cookieTexts, credentialOf, type ParameterTexts } from '@contract-kit/core/http';
import { isOpen, type Model, type Operation, type Parameter } from '@contract-kit/core/model';
import type { Request, Response } from 'express';
import type { ApiError } from '../http/api-error.ts';
import { headerValues } from '../http/headers.ts';
import { createOpenApiMiddleware } from './openapi-validator/openapi-validator.ts';
import { prepare, validatedIn, valueOf } from './openapi-validator/validated.ts';
import { queryTexts } from './query-texts.ts';
import { isCompiledLate, type CompileSent } from './sent-schemas.ts';
import { rejectionOf, unknownIn, violationsOf, type FoundViolation } from './violations.ts';
import { structuredParameter } from './structured-parameter.ts';

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

/**
 * Creates a reader of the parameters of each operation, by operationId. Rejects if one cannot be created, unless that is
 * done for its first request.
 */
export async function createParameterReaders(
  model: Model,
  basePath: string,
  compile: CompileSent,
): Promise<ReadonlyMap<string, ParameterReader>> {
  const readerOf = readersOf(model, basePath, compile);
  const readers = new Map<string, ParameterReader>();
  for (const operation of model.operations) {
    const { id } = operation;
    const create = () =>
      readerOf(operation).catch((error: unknown) => {
        throw new Error(`the parameters of ${id} cannot be validated: ${String(error)}`, { cause: error });
      });
    readers.set(id, isCompiledLate(model) ? late(create) : await create());
  }
  return readers;
}

/** A reader that is created for its first request. */
function late(create: () => Promise<ParameterReader>): ParameterReader {
  let created: Promise<ParameterReader> | undefined;
  return async (...sent) => (await (created ??= create()))(...sent);
}

function readersOf(
  model: Model,
  basePath: string,
  compile: CompileSent,
): (operation: Operation) => Promise<ParameterReader> {
  return async (operation) => {
    const { method, path, parameters, security } = operation;
    const validated = validatedIn(path, parameters);
    const structured = parameters
      .filter((parameter) => !validated.some(({ pointer }) => pointer === parameter.pointer))
      .map((parameter) => structuredParameter(parameter, model.schemas, compile));
    // An open operation recognizes any key, so that its requests count for the key.
    const credentials = isOpen(operation)
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
        const value = valueOf(req, parameter);
        if (value !== undefined) values[parameter.in][parameter.name] = value;
      }
      for (const { parameter, read } of structured) {
        const value = read(texts, isOther(parameter));
        if (value !== undefined) values[parameter.in][parameter.name] = value;
      }
      return { path: values.path, query: values.query, headers: values.header, cookies: values.cookie };
    }

    /**
     * Throws the rejection for `found`, for `others` and for what the readers find. The values of `validated` can be read
     * only after `run`.
     */
    function reject(
      found: readonly FoundViolation[],
      others: readonly FoundViolation[],
      req: Request,
      texts: ParameterTexts,
      isRun: boolean,
    ): never {
      throw rejectionOfAll(found, others, [
        ...(isRun ? validated : []).map((parameter) => () => valueOf(req, parameter)),
        ...structured.map(
          ({ parameter, read }) =>
            () =>
              read(texts, isOther(parameter)),
        ),
      ]);
    }

    function readValues(
      found: readonly FoundViolation[],
      req: Request,
      texts: ParameterTexts,
    ): ParameterValues {
      if (found.length > 0) return reject(found, [], req, texts, true);
      try {
        return valuesOf(req, texts);
      } catch (error) {
        return reject([], violationsOf(error), req, texts, true);
      }
    }

    return (req, res, pathParams) => {
      // Before it, which reads `tags[]=a` as the list `tags`.
      const { texts: query, unknown } = queryTexts(req.url, declared);
      if (parameters.length === 0) {
        if (unknown.size > 0) throw rejectionOf(unknownIn(unknown));
        return { path: {}, query: {}, headers: {}, cookies: {} };
      }
      const texts = new RequestTexts(req, pathParams, query);
      const found = [...unknownIn(unknown), ...prepare(req, validated, texts)];
      if (!run) return readValues(found, req, texts);
      return run(req, res, pathParams).then(
        () => readValues(found, req, texts),
        (error: unknown) => reject(found, violationsOf(error), req, texts, false),
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
    return cookieTexts(this.#req.headers.cookie ?? '', name);
  }
}

/** The rejection for `found`, and for `others` and whatever the readers find in other parameters. */
function rejectionOfAll(
  found: readonly FoundViolation[],
  others: readonly FoundViolation[],
  readers: readonly (() => unknown)[],
): ApiError {
  const all = [...others];
  for (const read of readers)
    try {
      read();
    } catch (other) {
      all.push(...violationsOf(other));
    }
  const more = all.filter((violation) => !found.some(({ parameter }) => parameter === violation.parameter));
  const unique = new Map([...found, ...more].map((violation) => [JSON.stringify(violation), violation]));
  return rejectionOf([...unique.values()]);
}
