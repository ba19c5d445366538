import { STATUS_CODES } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import {
  credentialWordOf,
  eitherWord,
  entryKeyOf,
  headersOfEveryResponse,
  headersOfStatus,
} from '../http/index.ts';
import { isObject } from '../json/index.ts';
import {
  pipelineErrors,
  errorShapesOf,
  errorsOf,
  meaningOfError,
  type OperationError,
} from '../errors/index.ts';
import { documentWith, type SourceDocument, type Json, type Pointer } from './source-document.ts';
import { componentReference, readModel, referenceIn, referTo } from '../model/index.ts';

const CODES = 'x-error-codes';

/** The descriptions of pipeline headers that the contract does not describe. */
const HEADERS: Readonly<Record<string, Json>> = {
  'X-RateLimit-Limit': count(
    'The request limit that applies to the caller, in the window with fewer requests left.',
    0,
  ),
  'X-RateLimit-Remaining': count('Requests remaining in the current window.', 0),
  'X-RateLimit-Reset': count('Unix timestamp, in seconds, at which the limit resets.', 0),
  'X-Request-Id': {
    description: 'Identifier of this request, for support. A well-formed identifier from the client is kept.',
    required: true,
    schema: { type: 'string', minLength: 1, maxLength: 128 },
  },
  'Retry-After': count('Whole seconds to wait before the next request (RFC 9110 §10.2.3).', 1),
  'WWW-Authenticate': {
    description: 'The scheme to use, and the error of an invalid key (RFC 9110 §11.6.1).',
    required: true,
    schema: { type: 'string' },
  },
};

function count(description: string, minimum: number): Json {
  return { description, required: true, schema: { type: 'integer', minimum } };
}

/** The body of the errors that the pipeline sends if the contract does not describe them. */
const ERROR = {
  type: 'object',
  description: 'What went wrong.',
  required: ['code', 'message', 'status'],
  properties: {
    code: {
      type: 'string',
      description: 'Machine-readable error code. Handle an unknown one by its status.',
    },
    message: { type: 'string', description: 'Human-readable description of the error.' },
    status: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status code.' },
  },
};

/** The places that differ in the published contract, with what is there. */
export function additionsTo(contract: SourceDocument): [Pointer, Json][] {
  return changesOf(contract.document, completed(contract).document);
}

function changesOf(before: Json, after: Json, pointer: Pointer = []): [Pointer, Json][] {
  if (isDeepStrictEqual(before, after)) return [];
  const isKept = isObject(before) && isObject(after) && Object.keys(before).every((name) => name in after);
  if (!isKept) return [[pointer, after]];
  return Object.entries<Json>(after).flatMap(([name, value]) =>
    changesOf((before as Json)[name], value, [...pointer, name]),
  );
}

/** The published contract: with the responses and headers that the pipeline adds, unless it describes them itself. */
export function completed(contract: SourceDocument): SourceDocument {
  const document: Json = JSON.parse(JSON.stringify(contract.document));
  const whole = documentWith(document, contract);
  document.servers ??= [{ url: '/' }];
  const components: Json = { ...document.components };
  const model = readModel(document);
  const everywhere = headersOfEveryResponse.filter(
    (name) => model.hasPlans || !name.startsWith('X-RateLimit'),
  );

  const headersOf = (status: string) => [...everywhere, ...(headersOfStatus[status] ?? [])];

  const schemes = [...model.schemes];
  const word = eitherWord(schemes.map(([name, scheme]) => credentialWordOf(name, scheme)));
  /** A message of the pipeline, about that which the contract's schemes carry. */
  const worded = (message: string) => (word === '' ? message : message.replaceAll('API key', word));

  const sectionOf = (section: string): Json => (components[section] ??= {});
  const header = (name: string) => {
    sectionOf('headers')[name] ??= HEADERS[name];
    return referTo(componentReference('headers', name));
  };
  /** `response` with the headers of `names` that it does not describe. */
  const withHeaders = (response: Json, names: readonly string[]): Json => {
    const known = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase());
    const missing = names.filter((name) => !known.includes(name.toLowerCase()));
    if (missing.length === 0) return response;
    return {
      ...response,
      headers: { ...response.headers, ...Object.fromEntries(missing.map((name) => [name, header(name)])) },
    };
  };

  let schemaName: string | undefined;
  const errorSchema = (codes: Codes) => {
    schemaName ??= isOurs(components.schemas?.Error) ? 'Error' : free(sectionOf('schemas'), 'PipelineError');
    const name = schemaName;
    components.schemas[name] ??= structuredClone(ERROR);
    document[CODES] ??= {};
    const known: Json = components.schemas[name].properties.code['x-extensible-enum'];
    for (const [code, error] of Object.entries(pipelineErrors)) {
      const isElsewhere = 'optional' in error && !codes.some((other) => other === code);
      if (code in document[CODES] || isElsewhere) continue;
      document[CODES][code] = {
        status: error.status,
        description: worded(meaningOf([code as Codes[number]])),
      };
      known?.push(code);
    }
    return referTo(componentReference('schemas', name));
  };
  /** The shape of errors that the contract does not describe: its most common one, or ours. */
  const { content: common, isOurs: isCommonOurs } = errorShapesOf(contract.model);
  const contentOf = (codes: Codes) =>
    common && !isCommonOurs
      ? { content: common }
      : { [CODES]: codes, content: { 'application/json': { schema: errorSchema(codes) } } };
  const made = new Map<string, string>();
  /** The response of the contract that lists the codes of the pipeline. */
  const listing = (codes: Codes) => {
    const listed = Object.entries<Json>(components.responses ?? {});
    return listed.find(([, response]) => isDeepStrictEqual(response[CODES], codes))?.[0];
  };
  /** A response for an error that the operation does not describe. */
  const errorResponse = (codes: Codes, status: string): Json => {
    const key = codes.join();
    const name =
      made.get(key) ??
      listing(codes) ??
      free(sectionOf('responses'), (STATUS_CODES[status] ?? status).replaceAll(' ', ''));
    made.set(key, name);
    const response = { description: worded(meaningOf(codes)), ...contentOf(codes) };
    components.responses[name] ??= withHeaders(response, headersOf(status));
    return referTo(componentReference('responses', name));
  };

  /** `response` with the optional codes that it does not list; undefined if it lists all. The others are for its author. */
  const withCodes = (response: Json, codes: Codes): Json => {
    const own = codes.filter((code) => {
      const error = pipelineErrors[code];
      return 'replaces' in error && 'optional' in error;
    });
    const missing = own.filter((code) => !response[CODES].includes(code));
    if (missing.length === 0) return undefined;
    errorSchema(codes);
    return { ...response, [CODES]: [...response[CODES], ...missing] };
  };

  for (const operation of model.operations) {
    const definition: Json = operation.definition;
    const { responses } = definition;
    definition.operationId ??= operation.id;
    for (const [status, codes] of codesByStatus(errorsOf(operation, model))) {
      const key = entryKeyOf(responses, Number(status));
      const response: Json = key === undefined ? undefined : whole.resolve(responses[key]);
      // A range or `default` without content does not describe the body that the pipeline sends.
      if (key !== status && !response?.content) responses[status] = errorResponse(codes, status);
      else if (!response.content) responses[status] = { ...response, ...contentOf(codes) };
      else if (response[CODES]) responses[status] = withCodes(response, codes) ?? responses[status];
    }
    const isSuccess = (status: string) => /^[23d]/.test(status);
    if (!Object.keys(responses).some(isSuccess)) responses['204'] = { description: 'Done.' };
  }
  for (const [name, response] of Object.entries<Json>(components.responses ?? {}))
    components.responses[name] = withHeaders(response, referenceIn(response) ? [] : everywhere);
  document.components = components;
  for (const { definition } of readModel(document).operations) {
    const responses: Json = definition['responses'];
    for (const [status, response] of Object.entries<Json>(responses)) {
      const described = whole.resolve(response);
      const complete = withHeaders(described, headersOf(status));
      if (complete !== described) responses[status] = complete;
    }
  }
  if (Object.keys(components).length === 0) delete document.components;
  return whole;
}

type Codes = readonly (keyof typeof pipelineErrors)[];

/** The statuses of an operation's errors, each with all codes of the pipeline that it may have there. */
function codesByStatus(errors: readonly OperationError[]): ReadonlyMap<string, Codes> {
  const isPossible = (code: string) => errors.some((error) => error.code === code);
  const codesOf = (usual: number) =>
    (Object.keys(pipelineErrors) as (keyof typeof pipelineErrors)[]).filter((code) => {
      const error = pipelineErrors[code];
      return error.status === usual && (!('replaces' in error) || isPossible(code));
    });
  return new Map(errors.map(({ usual, status }) => [String(status), codesOf(usual)]));
}

/** What errors with one status mean for callers. */
const meaningOf = (codes: Codes) => codes.map(meaningOfError).join(' ');

/** Whether a schema describes the errors of the pipeline. */
function isOurs(schema: Json): boolean {
  const { code, message, status } = schema?.properties ?? {};
  return code?.type === 'string' && message?.type === 'string' && status?.type === 'integer';
}

/** `name`, or `name` with a suffix if it is taken in `section`. */
function free(section: Json, name: string): string {
  let found = name;
  for (let next = 2; Object.hasOwn(section, found); next += 1) found = `${name}${next}`;
  return found;
}
