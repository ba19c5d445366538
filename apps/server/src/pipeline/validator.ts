import { basePath, operations, type OperationId } from '@petstore/contract';
import { document } from '@petstore/contract/document';
import type { Request, RequestHandler, Response } from 'express';
import { middleware as openApiValidator } from 'express-openapi-validator';
import { isObject, resolve, type Schema } from '../json-pointer.ts';
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
  /** False leaves it to the validator to find the operation of each request: slower, and nothing else. */
  readonly tuned: boolean;
}

/**
 * The request handlers of express-openapi-validator for the contract: first whether the operation's security is
 * satisfied, then its parameters and body. Rejects when the validator cannot work with the document: left alone, it
 * would start and answer every request with 500.
 */
export async function createValidator({
  securityHandlers,
  tuned,
}: ValidatorSettings): Promise<RequestHandler[]> {
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
  const notes = await lookUpOperations(handlers);
  return tuned ? [giveNote(notes), ...handlers.slice(2)] : handlers;
}

/** What the validator puts on a request, documented as `req.openapi`, once it knows the operation. */
interface Note {
  readonly openApiRoute: string;
  readonly schema: { readonly operationId?: string };
}

/**
 * Asks the validator once for each operation. It would ask itself on every request, compiling the pattern of one path
 * after the other, which costs more the longer the contract is. `match` knows the operation already.
 */
async function lookUpOperations([load, find]: RequestHandler[]): Promise<Map<string, Note>> {
  if (load?.name !== 'pathParamsMiddleware' || find?.name !== 'metadataMiddleware')
    throw new Error('express-openapi-validator has changed: see lookUpOperations in pipeline/validator.ts');
  const notes = new Map<string, Note>();
  for (const [operationId, { method, path }] of Object.entries(operations)) {
    const target = basePath + path.replaceAll(/\{[^}]*\}/g, '-');
    const req = {
      method,
      path: target,
      originalUrl: target,
      baseUrl: '',
      app: { param: () => undefined, enabled: () => true },
    } as unknown as Request & { openapi?: Note };
    await run(load, req);
    await run(find, req);
    if (req.openapi?.schema.operationId !== operationId)
      throw new Error(`express-openapi-validator does not find ${operationId} at ${method} ${target}`);
    notes.set(operationId, req.openapi);
  }
  return notes;
}

function run(handler: RequestHandler, req: Request): Promise<void> {
  return new Promise((resolve, reject) => {
    void handler(req, {} as Response, (error?: unknown) => {
      if (error) reject(new Error('the contract cannot be used for validation', { cause: error }));
      else resolve();
    });
  });
}

function giveNote(notes: ReadonlyMap<string, Note>): RequestHandler {
  return (req, _res, next) => {
    const { match } = req.exchange;
    if (match.kind === 'operation') {
      Object.assign(req, {
        openapi: { ...notes.get(match.operationId), pathParams: { ...match.pathParams } },
      });
    }
    next();
  };
}

/**
 * The contract as the validator needs it: served under the base path, and with int64 parameters as strings of exact
 * formats, one for each set of bounds. As integers it would turn them into doubles, and 9007199254740993 into another
 * order's id.
 */
export function forValidator(document: Schema): { apiSpec: Spec; formats: Record<string, ExactFormat> } {
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
  schema?: Schema;
}

function* parametersIn(node: unknown, key = ''): Iterable<Parameter> {
  if (typeof node !== 'object' || node === null) return;
  if (key === 'parameters') yield* Object.values(node) as Parameter[];
  for (const [name, child] of Object.entries(node)) yield* parametersIn(child, name);
}

/** A schema that several parameters share, written out. */
function dereferenced(schema: Schema | undefined, document: Schema): Schema {
  const reference = schema?.['$ref'];
  if (typeof reference !== 'string') return schema ?? {};
  const target = resolve(document, reference);
  return isObject(target) ? dereferenced(target, document) : {};
}
