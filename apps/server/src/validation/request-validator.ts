import { basePath } from '@petstore/contract';
import { document } from '@petstore/contract/document';
import type { Request, RequestHandler, Response } from 'express';
import { middleware as openApiValidator } from 'express-openapi-validator';
import { isObject, resolve, type JsonObject } from '@petstore/contract/json-pointer';
import { int64Within } from './int64.ts';

/** The start of the names of the formats that stand for an exact int64 and its bounds. */
export const EXACT_INT64 = 'int64-exact';

type Spec = Exclude<Parameters<typeof openApiValidator>[0]['apiSpec'], string>;

interface ExactFormat {
  readonly type: 'string';
  readonly validate: (text: string) => boolean;
}

export interface ValidatorSettings {
  /** Answers, by security scheme, whether the request satisfies it. */
  readonly securityHandlers: Readonly<Record<string, (req: Request) => boolean>>;
}

/** The request handlers of express-openapi-validator, in the order it has them in. */
export interface Validator {
  /** Finds the operation, and puts it on the request as `req.openapi`. */
  readonly find: RequestHandler;
  /** Fails unless the operation's security is satisfied. */
  readonly secure: RequestHandler;
  /** Fails unless parameters and body are as the contract says. */
  readonly check: RequestHandler;
}

/**
 * Loads express-openapi-validator with the contract. Rejects when it cannot work with the document: left alone, it
 * would start and answer every request with 500.
 */
export async function createValidator({ securityHandlers }: ValidatorSettings): Promise<Validator> {
  for (const scheme of securitySchemes()) {
    if (!(scheme in securityHandlers)) throw new Error(`the security scheme ${scheme} has no handler`);
  }
  const { apiSpec, formats } = forValidator(document);
  const handlers = openApiValidator({
    apiSpec,
    validateRequests: true,
    // Replies are checked by `checkReplies`: this would miss headers, streams and everything that is not res.json.
    validateResponses: false,
    validateSecurity: { handlers: securityHandlers },
    fileUploader: false,
    ajvFormats: { mode: 'full' },
    formats,
  }) as unknown as RequestHandler[];
  const named = (name: string): RequestHandler => {
    const handler = handlers.find((each) => each.name === name);
    if (!handler || handlers.length !== 4)
      throw new Error(`express-openapi-validator has changed: see createValidator in pipeline/validator.ts`);
    return handler;
  };
  // The first of them waits until the document is loaded, and passes on what was wrong with it.
  const app = { param: () => undefined };
  await run(named('pathParamsMiddleware'), { app }).catch((cause: unknown) => {
    throw new Error('the contract cannot be used for validation', { cause });
  });
  return {
    find: named('metadataMiddleware'),
    secure: named('securityMiddleware'),
    check: named('requestMiddleware'),
  };
}

/** Calls one of the validator's handlers outside of a request. Rejects with what it passes on as an error. */
export function run(handler: RequestHandler, req: object): Promise<void> {
  return new Promise((resolve, reject) => {
    void handler(req as Request, {} as Response, (error?: unknown) => {
      if (error instanceof Error) reject(error);
      else resolve();
    });
  });
}

/**
 * The contract as the validator needs it: served under the base path, and with int64 parameters as strings of exact
 * formats, one for each set of bounds. As integers it would turn them into doubles, and 9007199254740993 into another
 * order's id.
 */
export function forValidator(document: JsonObject): { apiSpec: Spec; formats: Record<string, ExactFormat> } {
  const copy = structuredClone(document);
  const formats: Record<string, ExactFormat> = {};
  copy['servers'] = [{ url: basePath }];
  for (const parameter of parametersIn(copy)) {
    // RFC 3986 §3.4 allows these characters in a query, and encodeURIComponent leaves some of them as they are.
    if (parameter.in === 'query') parameter.allowReserved = true;
    const schema = dereferenced(parameter.schema, copy);
    if (schema['format'] === 'int64' && (parameter.in === 'path' || parameter.in === 'query')) {
      const format = `${EXACT_INT64}-${Object.keys(formats).length}`;
      formats[format] = { type: 'string', validate: int64Within(schema) };
      parameter.schema = { type: 'string', format };
    }
  }
  return { apiSpec: copy as unknown as Spec, formats };
}

function securitySchemes(): string[] {
  const { components } = document as { components?: { securitySchemes?: object } };
  return Object.keys(components?.securitySchemes ?? {});
}

interface Parameter {
  in?: string;
  allowReserved?: boolean;
  schema?: JsonObject;
}

function* parametersIn(node: unknown, key = ''): Iterable<Parameter> {
  if (typeof node !== 'object' || node === null) return;
  if (key === 'parameters') yield* Object.values(node) as Parameter[];
  for (const [name, child] of Object.entries(node)) yield* parametersIn(child, name);
}

/** A schema that several parameters share, written out. */
function dereferenced(schema: JsonObject | undefined, document: JsonObject): JsonObject {
  const reference = schema?.['$ref'];
  if (typeof reference !== 'string') return schema ?? {};
  const target = resolve(document, reference);
  return isObject(target) ? dereferenced(target, document) : {};
}
