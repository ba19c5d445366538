import { basePath, operations } from '@petstore/contract';
import { document } from '@petstore/contract/document';
import { json, type Request, type RequestHandler } from 'express';
import { error as validatorErrors, middleware as openApiValidator } from 'express-openapi-validator';
import { ApiError } from '../http/api-error.ts';
import type { Caller } from '../keys/caller.ts';
import { int64Within } from './int64.ts';

const EXACT_INT64 = 'int64-exact';
const JSON_TYPE = 'application/json';
const MOST_BODY_BYTES = 100_000;

type ValidatorOptions = Parameters<typeof openApiValidator>[0];

/**
 * Validates requests against the contract with express-openapi-validator: first that the operation's security is
 * satisfied, then its parameters. Rejects when the validator cannot work with the document: left alone, it would
 * start and answer every request with 500.
 */
export async function createValidate(): Promise<RequestHandler[]> {
  const { apiSpec, formats } = forValidator();
  const securityHandlers = { apiKey: (req: Request) => req.exchange.caller?.kind === 'key' };
  for (const scheme of securitySchemes()) {
    if (!(scheme in securityHandlers)) throw new Error(`the security scheme ${scheme} has no handler`);
  }
  const handlers = openApiValidator({
    apiSpec,
    validateRequests: true,
    // Replies are checked by `reply`: this would miss headers, streams and everything that is not res.json.
    validateResponses: false,
    // The caller is known already. What is asked here is only whether the contract wants one.
    validateSecurity: { handlers: securityHandlers },
    fileUploader: false,
    ajvFormats: { mode: 'full' },
    formats,
  }) as unknown as RequestHandler[];
  await ready(handlers);
  return [treatHeadAsGet, readBody, ...handlers, restoreHead];
}

/**
 * The contract as the validator needs it: served under the base path, and with int64 parameters as strings of exact
 * formats, one for each set of bounds. As integers it would turn them into doubles, and 9007199254740993 into another
 * order's id.
 */
function forValidator(): Required<Pick<ValidatorOptions, 'apiSpec' | 'formats'>> {
  const copy = structuredClone(document);
  const formats: Record<string, { type: 'string'; validate: (text: string) => boolean }> = {};
  copy['servers'] = [{ url: basePath }];
  for (const parameter of parametersIn(copy)) {
    if (parameter.schema?.['format'] === 'int64' && (parameter.in === 'path' || parameter.in === 'query')) {
      const format = `${EXACT_INT64}-${Object.keys(formats).length}`;
      formats[format] = { type: 'string', validate: int64Within(parameter.schema) };
      parameter.schema = { type: 'string', format };
    }
  }
  return { apiSpec: copy as unknown as ValidatorOptions['apiSpec'], formats };
}

function securitySchemes(): string[] {
  const { components } = document as { components?: { securitySchemes?: object } };
  return Object.keys(components?.securitySchemes ?? {});
}

interface Parameter {
  in?: string;
  schema?: Record<string, unknown>;
}

function* parametersIn(node: unknown, key = ''): Iterable<Parameter> {
  if (typeof node !== 'object' || node === null) return;
  if (key === 'parameters') yield* Object.values(node) as Parameter[];
  for (const [name, child] of Object.entries(node)) yield* parametersIn(child, name);
}

/** The first of the validator's handlers waits for the document and passes on what was wrong with it. */
async function ready([load]: RequestHandler[]): Promise<void> {
  const request = { app: { param: () => undefined } } as unknown as Request;
  await new Promise<void>((resolve, reject) => {
    void load?.(request, {} as never, (error?: unknown) => {
      if (error) reject(new Error('the contract cannot be used for validation', { cause: error }));
      else resolve();
    });
  });
}

/** HEAD is validated as the GET it stands for. */
const treatHeadAsGet: RequestHandler = (req, _res, next) => {
  if (req.method === 'HEAD') {
    req.exchange.headOnly = true;
    req.method = 'GET';
  }
  next();
};

const restoreHead: RequestHandler = (req, _res, next) => {
  if (req.exchange.headOnly) req.method = 'HEAD';
  next();
};

const parseJson = json({ limit: MOST_BODY_BYTES });

/**
 * Reads the body where the contract has one. The validator remembers a compiled validator for every Content-Type it
 * meets, and parses it slowly: so it meets one, or none.
 */
const readBody: RequestHandler = (req, res, next) => {
  const { match } = req.exchange;
  const hasBody = match.kind === 'operation' && operations[match.operationId].hasBody;
  const sent = req.headers['content-type'];
  delete req.headers['content-type'];
  if (!hasBody || sent === undefined) {
    next();
    return;
  }
  if (sent.split(';', 1)[0]?.trim().toLowerCase() !== JSON_TYPE) {
    throw new ApiError('unsupported_media_type', `The body must be ${JSON_TYPE}.`);
  }
  req.headers['content-type'] = JSON_TYPE;
  parseJson(req, res, (error?: unknown) => {
    next(
      error &&
        new ApiError('invalid_request', `The body must be valid JSON of at most ${MOST_BODY_BYTES} bytes.`),
    );
  });
};

/** Translates what the validator throws into an answer; undefined if `error` is not the validator's. */
export function answerToInvalid(error: unknown, caller: Caller | undefined): ApiError | undefined {
  if (error instanceof validatorErrors.Unauthorized) return unauthorized(caller);
  if (error instanceof validatorErrors.UnsupportedMediaType) {
    return new ApiError('unsupported_media_type', 'The operation does not accept a body of this media type.');
  }
  if (error instanceof validatorErrors.BadRequest) return new ApiError('invalid_request', messageOf(error));
  return undefined;
}

/** RFC 6750 §3: the challenge says `invalid_token` only where a token was sent. */
function unauthorized(caller: Caller | undefined): ApiError {
  const reason = caller?.kind === 'address' ? caller.reason : 'missing';
  return reason === 'invalid'
    ? new ApiError('unauthorized', 'The API key is invalid: unknown or revoked.', {
        'WWW-Authenticate': 'Bearer realm="petstore", error="invalid_token"',
      })
    : new ApiError('unauthorized', 'The API key is missing: send it as `Authorization: Bearer <API_KEY>`.', {
        'WWW-Authenticate': 'Bearer realm="petstore"',
      });
}

const LONGEST_MESSAGE = 300;

function messageOf({ message, errors }: InstanceType<typeof validatorErrors.BadRequest>): string {
  const [first] = errors ?? [];
  if (!first) return `${message.slice(0, LONGEST_MESSAGE)}.`;
  if (first.path.startsWith('/query/') && !first.message.startsWith('must'))
    return `${message.slice(0, LONGEST_MESSAGE)}.`;
  const name = first.path.split('/').at(-1) ?? '';
  const wrong = first.message.includes(EXACT_INT64) ? 'must be a 64-bit decimal integer' : first.message;
  return `${name} ${wrong}.`.slice(0, LONGEST_MESSAGE);
}
