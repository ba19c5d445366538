// First: it changes what express-openapi-validator loads.
import './empty-schemas.ts';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import * as openApi from 'express-openapi-validator';
import { STRING_FORMATS, textFormats } from '../scalar.ts';
import { documentOf } from './document.ts';
import { rejectionFor } from './rejection.ts';
import type { Validated } from './validated.ts';

/*
 * All that the kit has to do with express-openapi-validator 5.6.2, which validates parameters.
 *
 * What goes through it: the parameters that `validatedIn` names. They are scalars, and lists of scalars in a query, in the
 * default style of their place, in paths, queries, headers and cookies. It rejects one that is missing, a text that is not
 * of the type, and a value that breaks a keyword of the schema. An operation without such parameters has none of it.
 *
 * What does not go through it, and why:
 * - Objects, unions, other styles, lists outside of queries and `content`: it misreads them. `structuredParameter` reads them.
 * - Names with `[`, which it reads as fields of an object, and names that every object inherits.
 * - Bodies: it is neither exact nor safe there (docs/decisions/0006). `request-body.ts` reads them.
 * - Security: it accepts any token, and sends what a handler throws. `requireSecurity` decides.
 * - Files: it keeps them in memory, without limits.
 * - Routing: that of a whole contract compiles the patterns of all paths on each request. So each operation has its own.
 *
 * What is done for it, because it would do it wrong:
 * - Before the start (`empty-schemas.ts`): it would compile OpenAPI's own schemas for each operation.
 * - At the start (`documentOf`): it gets a document of one operation, with names and paths that are safe in its patterns,
 *   without examples, whose references it would follow. HEAD is declared beside GET, because it knows no other.
 * - At the start (`scalarOf`): numbers are texts in formats of the kit, because it would round 9007199254740993 and takes
 *   `0x10` for 16. Its own formats accept 2020-13-01 as a date.
 * - At the start (`warmUp`): it compiles at the first request, and sends 500 to all if it cannot.
 * - Before each request (`prepare`): the query and the cookies are parsed.
 * - For each request: literal text in a path is written as in the contract, because it compares the text as it is sent; and
 *   Content-Type is hidden, because it keeps a validator for each media type that it has seen.
 * - After each request (`valueOf`): what it cannot tell, such as a multiple of 0.1.
 * - After each request: without its mark on the request it has skipped it, which is an error.
 */

/** Passes a request through its stages, and calls `settle` once, with the first error or without one. */
type Run = (req: Request, res: Response, settle: (error?: Error) => void) => void;

/** Validates a request that is prepared. Rejects with an ApiError if it is invalid. */
type Validate = (req: Request, res: Response, pathParams: Readonly<Record<string, string>>) => Promise<void>;

/** Its middleware for one operation. Rejects if it cannot be compiled. */
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
    // See requireSecurity.
    validateSecurity: false,
    validateRequests: { allErrors: true },
    fileUploader: false,
    formats: { ...STRING_FORMATS, ...textFormats },
    useRequestUrl: true,
  }) as RequestHandler[];

  const run: Run = (req, res, settle) => {
    let index = 0;
    const next = (error?: Error): void => {
      const stage = error ? undefined : stages[index++];
      if (stage) void stage(req, res, next as NextFunction);
      else settle(error);
    };
    next();
  };
  const urlOf = (valueOf: (name: string) => string) =>
    path.replaceAll(/\{([^}]*)\}/g, (_, name: string) => valueOf(name));

  await warmUp(
    run,
    method,
    urlOf(() => '0'),
  );

  return (req, res, pathParams) =>
    new Promise((resolve, reject) => {
      const { url } = req;
      const { 'content-type': contentType } = req.headers;
      // Clients may encode more than they must (RFC 3986 §2.3).
      if (url.includes('%')) req.url = urlOf((name) => pathParams[name] ?? '');
      if (contentType !== undefined) delete req.headers['content-type'];
      run(req, res, (error) => {
        req.url = url;
        if (contentType !== undefined) req.headers['content-type'] = contentType;
        if (error) reject(rejectionFor(error, validated));
        else if ('openapi' in req) resolve();
        else reject(new Error(`express-openapi-validator does not know ${method} ${path}`));
      });
    });
}

/** Compiles the validator, by a request for `url`. Rejects if it cannot be compiled. */
function warmUp(run: Run, method: string, url: string): Promise<void> {
  const request = {
    ...{ app: express(), method, url, originalUrl: url, path: url, baseUrl: '' },
    ...{ headers: {}, query: {} },
  };
  return new Promise((resolve, reject) => {
    run(request as unknown as Request, {} as Response, (error) => {
      if (!error || error instanceof openApi.error.BadRequest) resolve();
      else reject(error);
    });
  });
}
