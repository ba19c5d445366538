import { type ServiceNames, clientNames } from '@contract-kit/core';
import { IDEMPOTENCY_KEY } from '@contract-kit/core/http';
import { ADDRESS_QUOTA } from '@contract-kit/core/limits';
import {
  errorShapesOf,
  makerOf,
  type MakeError,
  NO_REQUEST_ID,
  fakeErrorsOf,
} from '@contract-kit/core/errors';
import {
  clientContentOf,
  componentIn,
  isComposed,
  successesOf,
  typeName,
  type Model,
  type Operation,
  type RequestBody,
  type Response,
} from '@contract-kit/core/model';
import type { Json, SourceDocument } from '@contract-kit/core/openapi';
import { jsDoc, literal, operationDoc } from './emit.ts';
import { clientOperationsOf, fetchKeyOf, headerTypesOf } from '@contract-kit/client/operations';
import { isTaken } from './taken-names.ts';

/** The sources of the client package of a published contract, by their names in `packages/client/src`. */
export function emitClient(
  contract: SourceDocument,
  names: Pick<ServiceNames, 'name'>,
  errorBody?: MakeError,
): Record<string, string> {
  const { package: client, contractPackage, factory } = clientNames(names.name);
  const { model } = contract;
  const service: Service = {
    contract,
    model,
    names,
    client,
    contractPackage,
    errorBody,
    pascal: factory.replace('create', ''),
    operations: model.operations,
    schemas: Object.keys(contract.document.components?.schemas ?? {}),
  };
  return {
    'client-operations.ts': emitOperations(service),
    'index.ts': emitInterface(service),
    'stream.ts': emitStream(service),
    'testing.ts': emitTesting(service),
    'fetch.ts': emitFetch(service),
  };
}

interface Service {
  readonly contract: SourceDocument;
  readonly model: Model;
  readonly names: Pick<ServiceNames, 'name'>;
  /** The names of the packages. */
  readonly client: string;
  readonly contractPackage: string;
  /** Of the service, if it has one. */
  readonly errorBody: MakeError | undefined;
  readonly pascal: string;
  readonly operations: readonly Operation[];
  readonly schemas: readonly string[];
}

/** Whether its errors have another shape than ours. */
function hasServiceErrors({ model, errorBody }: Service): boolean {
  const error = {
    code: 'internal_error',
    message: 'The server failed.',
    status: 500,
    requestId: NO_REQUEST_ID,
    path: '',
  };
  const made = makerOf(errorShapesOf(model).most, errorBody)?.(error) as Partial<typeof error> | undefined;
  return !(made?.code === error.code && made.message === error.message && made.status === error.status);
}

/** Whether clients write it without code for other media types. */
const isOfJson = ({ content }: RequestBody, { schemas }: Model) =>
  clientContentOf(content, schemas).every(({ kind, type }) => kind === 'json' && !type.includes('*'));

const hasStream = ({ responses }: Operation) =>
  responses.some(({ content }) => content.some(({ form }) => form));

/** The operations as a client and its fake read them. */
function emitOperations({ contractPackage, model }: Service): string {
  const deprecations = model.operations.flatMap(({ id, deprecation }) =>
    deprecation ? [[id, deprecation]] : [],
  );
  return `import type { ClientOperation } from '@contract-kit/client';
import type { Deprecation } from '@contract-kit/core';
import type { Operations } from '${contractPackage}';

/** How to send each operation, and to read its responses. */
export const operations: { readonly [Id in keyof Operations]: ClientOperation } = ${literal(clientOperationsOf(model))};

/** The JSON type of every declared response header. */
export const headerTypes: Readonly<Record<string, string>> = ${literal(headerTypesOf(model))};

/** The deprecated operations. */
export const deprecations: { readonly [Id in keyof Operations]?: Deprecation } = ${literal(Object.fromEntries(deprecations))};
`;
}

function emitInterface(service: Service): string {
  const { contract, contractPackage, model, names, operations, pascal, schemas } = service;
  const ids = operations.map(({ id }) => id);
  const own = [
    `  /**
   * A client with these options changed; \`undefined\` changes nothing, and hooks are added to the existing
   * ones. It shares the key and its limits, unless \`apiKey\` or the address changes.
   */
  withOptions(options: ${pascal}Options): ${pascal};`,
    `  /**
   * A \`fetch\` for requests outside the contract, with the same key, pacing, retries and hooks. A path such as \`/status\` is below
   * \`baseUrl\`. The key goes to \`baseUrl\` and below it only; a request elsewhere is a plain \`fetch\`.
   */
  readonly fetch: PacedFetch;`,
  ].filter((_each, index) => index === 0 || !ids.includes('fetch'));
  const fetchKey = fetchKeyOf(model);
  const sent = Object.values(clientOperationsOf(model));
  const hasOtherKeys = sent.some((operation) => operation.takesCookie ?? operation.queryCredentials);
  const hasCookies = sent.some(({ cookies }) => cookies);
  const address = [
    `name: ${JSON.stringify(names.name)}`,
    `version: ${JSON.stringify(contract.document.info.version)}`,
    'servers',
    ...(Object.keys(fetchKey).length > 0 ? [`fetchKey: ${JSON.stringify(fetchKey)}`] : []),
    ...(hasOtherKeys ? ['writeKeys'] : []),
  ];
  const ranges = operations.some((operation) => operation.responses.some(isRange)) ? 'StatusIn, ' : '';
  const extras = [
    ...(operations.some(({ body }) => body && !isOfJson(body, service.model)) ? ['writeBody'] : []),
    ...(operations.some(hasStream) ? ['readStream'] : []),
  ];
  const imported = [
    ...['ApiError as AnyApiError', 'createClient', 'createFetch as createFetchOf'],
    ...extras,
    ...(hasOtherKeys ? ['writeKeys'] : []),
    ...(hasCookies ? ['writeCookies'] : []),
  ];
  return `import { ${imported.join(', ')} } from '@contract-kit/client';
import type { ${hasServiceErrors(service) ? '' : 'ApiErrorOf, '}BaseCall, CallOptions, ErrorBody as AnyErrorBody, ErrorDetails } from '@contract-kit/client';
import type { Input, Options, PacedFetch, Reply, ${ranges}UnexpectedReplyError } from '@contract-kit/client';
import type { ClientContract } from '@contract-kit/client';
import { basePath, servers } from '${contractPackage}';
import { headerTypes, operations } from './client-operations.ts';
import type { components, ErrorCode, errorCodes, Operations } from '${contractPackage}';

export * from '@contract-kit/client/public';
export type { ErrorCode };

const contract: ClientContract<Operations> = {
  ${address.join(',\n  ')},
  basePath,
  operations,
  headerTypes,${hasCookies ? '\n  writeCookies,' : ''}${hasServiceErrors(service) ? '\n  serviceErrors: true,' : ''}
};

/** The operationId of every operation of the API. */
export type OperationId = keyof Operations;

/** The servers of the contract by name. */
export type Environment = keyof typeof servers;

/** The options of \`create${pascal}\`. */
export interface ${pascal}Options extends Options<Environment> {}

/** The schemas of the API by name. */
export type Schemas = components['schemas'];

/* Interfaces, because editors show those by their names. */
${schemas
  .filter((name) => isNamed(service, name))
  .map((name) => emitSchema(service, name))
  .join('')}
/** The body of an error. New codes may appear at any time: handle an unknown one by its status. */
export interface ErrorBody<Code extends string = ErrorCode, Status extends number = number> extends AnyErrorBody<
  Code,
  Status
> {}

${apiErrorType(service)}

/** The API rejected the call, for one of the reasons in the contract. Narrow it by \`status\`, then by \`code\`. */
export const ApiError = AnyApiError as unknown as {
  new (message: string, details: ErrorDetails): ApiError;
  readonly prototype: ApiError;
};

/** A running call. Await its data, its \`reply()\` or its \`result()\`. It is sent once. */
export interface Call<Data, Declared> extends BaseCall<Data, Declared, ApiError | UnexpectedReplyError> {}
${operations.map((operation) => emitTypes(service, operation)).join('')}
/** The API: one method per operation of the contract, under its operationId. */
export interface ${pascal} {
${[...operations.map((operation) => emitMethod(service, operation)), ...own].join('\n')}
}

/** The operations as plain asynchronous functions: a \`${pascal}\`, or an object in a test. */
export type ${pascal}Methods<Id extends OperationId = OperationId> = {
  readonly [Each in Id]: (...args: Parameters<${pascal}[Each]>) => Promise<Awaited<ReturnType<${pascal}[Each]>>>;
};

/**
 * Creates a client of the API: one method per operation, under its operationId.
 *
 * Calls of one client share what the API says about its limits, so create one per key and keep it.
 *
 * @param options The address, the key, time-outs and retries.
 * @throws {TypeError} if an option is wrong, such as a malformed \`apiKey\`, or a \`baseUrl\` where the key would not be safe.
 */
export function create${pascal}(options: ${pascal}Options = {}): ${pascal} {
  return createClient(contract, options${extras.length > 0 ? `, { ${extras.join(', ')} }` : ''}) as ${pascal};
}

/**
 * Creates the \`fetch\` of a client without the client: see \`${pascal}.fetch\`.
 *
 * @param options The address, the key, time-outs and retries.
 * @throws {TypeError} if an option is wrong.
 */
export function createFetch(options: ${pascal}Options = {}): PacedFetch {
  // Not the whole contract: bundlers leave out its operations.
  return createFetchOf({ ${address.join(', ')} }, options);
}
`;
}

/** The errors: with bodies in our shape by their codes, or in those of the contract. */
function apiErrorType(service: Service): string {
  const { operations } = service;
  if (!hasServiceErrors(service))
    return `/** The API rejected the call, for one of the reasons in the contract. Narrow it by \`status\`, then by \`code\`. */
export type ApiError = ApiErrorOf<typeof errorCodes>;`;
  const bodies = new Map<string, string>();
  for (const { id, responses } of operations) {
    for (const response of responses.filter(({ status }) => !/^[23]/.test(status))) {
      const { media } = response;
      const schema = JSON.stringify([media?.type, media?.schema]);
      if (media && !bodies.has(schema)) bodies.set(schema, bodyIn(service, id, response));
    }
  }
  return `/** The API rejected the call. Its body is that of the response, unless a proxy responded. */
export interface ApiError extends Omit<AnyApiError, 'body'> {
  readonly body: ${[...bodies.values(), 'undefined'].join(' | ')};
}`;
}

/** Whether a schema has a type with its name: others are only in `Schemas`. */
const isNamed = ({ pascal, schemas }: Service, name: string) =>
  schemas.includes(name) &&
  /^[A-Za-z_]\w*$/.test(name) &&
  !isTaken(name) &&
  ![pascal, `${pascal}Options`].includes(name) &&
  !schemas.some((schema) => name === `${schema}Schema`);

function emitSchema({ contract, model }: Service, name: string): string {
  const schema = contract.document.components.schemas[name];
  const { type, description, properties } = schema;
  // An interface must not have properties that its index signature forbids.
  const isMixed = typeof model.schemas.othersOf(schema) === 'object';
  const isObject = type === 'object' && properties && !isMixed && !isComposed(schema);
  const doc = description ? `${jsDoc('', [description])}\n` : '';
  const source = `Schemas[${JSON.stringify(name)}]`;
  if (!isObject) return `\n${doc}export type ${name} = ${source};\n`;
  return `\ntype ${name}Schema = ${source};\n\n${doc}export interface ${name} extends ${name}Schema {}\n`;
}

/** A body by the name of its schema, if it has one. */
function bodyType(service: Service, { id, method }: Operation, response: Response): string {
  const { status, codes = [], content } = response;
  if (codes.length > 0)
    return `ErrorBody<${codes.map((code) => JSON.stringify(code)).join(' | ')}, ${isRange({ status }) ? 'number' : status}>`;
  const used = clientContentOf(content, service.model.schemas);
  const [media] = used;
  // RFC 9110 §9.3.2: a response to HEAD has no body.
  if (!media || method === 'HEAD') return 'undefined';
  const schema: Json = media.schema;
  if (used.length === 1 && media.type === 'application/json') {
    const name = componentIn('schemas', schema);
    if (name !== undefined && isNamed(service, name)) return name;
    const item = schema?.type === 'array' ? componentIn('schemas', schema.items) : undefined;
    if (item !== undefined && isNamed(service, item)) return `${item}[]`;
  }
  return bodyIn(service, id, response);
}

/** The body of a response, as clients read it. */
function bodyIn({ model }: Service, id: string, { status, content }: Response): string {
  const response = responseOf(id, status);
  const used = clientContentOf(content, model.schemas);
  return used.length === content.length
    ? `${response}['body']`
    : used.map(({ type }) => `${response}['bodies'][${JSON.stringify(type)}]`).join(' | ');
}

/** A response as a type. A range such as `4XX`, and `default`, is a name. */
const responseOf = (id: string, status: string) =>
  `Operations[${JSON.stringify(id)}]['responses'][${keyOf(status)}]`;
const isRange = ({ status }: Pick<Response, 'status'>) => !/^\d+$/.test(status);
const keyOf = (status: string) => (isRange({ status }) ? JSON.stringify(status) : status);

const takesInput = ({ parameters, body }: Operation) => parameters.length > 0 || body !== undefined;

function emitTypes(service: Service, operation: Operation): string {
  const { id, responses } = operation;
  const own = `Operations[${JSON.stringify(id)}]`;
  const replies = responses.map((response) => {
    const { status } = response;
    const statuses = isRange(response) ? `StatusIn<${keyOf(status)}, keyof ${own}['responses']>` : status;
    return `\n  | Reply<${statuses}, ${bodyType(service, operation, response)}, ${responseOf(id, status)}['headers']>`;
  });
  const input = takesInput(operation)
    ? `
/** The input of \`${id}\`. */
export interface ${typeName(id)}Input extends Input<${own}> {}
`
    : '';
  return `${input}
/** The responses that the contract declares for \`${id}\`, distinguished by \`status\`. */
export type ${typeName(id)}Reply =${replies.join('')};
`;
}

function dataType(service: Service, operation: Operation): string {
  const types = successesOf(operation).map((response) => bodyType(service, operation, response));
  return [...new Set(types)].join(' | ') || 'never';
}

function emitMethod(service: Service, operation: Operation): string {
  const { id, parameters, body } = operation;
  const withInput = takesInput(operation);
  const isRequired =
    body?.required ||
    parameters.some((parameter) => parameter.required && parameter.name.toLowerCase() !== IDEMPOTENCY_KEY);
  const described = parameters.map((parameter) => `\`${parameter.name}\`: ${oneLine(parameter.description)}`);
  const input = withInput
    ? [...described, ...(body ? [`The body${body.fields ? "'s fields" : ', as `body`'}.`] : [])].join(' ')
    : 'The operation has no input: the options may be passed here.';
  const tags = [`@param input ${input}`, '@param options Time-outs, headers and the signal of this call.'];
  const type = withInput ? `${typeName(id)}Input` : 'CallOptions';
  const call = `Call<${dataType(service, operation)}, ${typeName(id)}Reply>`;
  return `${operationDoc(operation, tags)}
  ${id}(input${isRequired ? '' : '?'}: ${type}, options?: CallOptions): ${call};`;
}

const oneLine = (text = '') => text.trim().replaceAll(/\s+/g, ' ');

function emitStream(service: Service): string {
  const { client, operations, pascal } = service;
  const lists = operations.flatMap((operation) => {
    const item = itemType(service, operation);
    return item ? [{ operation, item }] : [];
  });
  // An operation called `list` has a function of the same name.
  const isTaken = lists.some(({ operation }) => streamName(operation.id) === 'streamList');
  const helper = isTaken ? 'streamItems' : 'streamList';
  const functions = lists.map(({ operation, item }) => {
    const { id } = operation;
    const input = takesInput(operation) ? `input: Parameters<${pascal}['${id}']>[0], ` : '';
    return `
/**
 * \`${id}\`, item by item as they arrive, in constant memory. After the list has begun there are no retries, \`timeout\` is
 * the longest time without an item, and \`budget\` no longer counts. Leaving the loop closes the connection.
 *
 * @throws {ApiError} if the API rejects the call.
 * @throws {ConnectionError} if the connection breaks; a {@link TimeoutError} if it falls silent.
 * @throws {UnexpectedReplyError} if the response is not a complete JSON list.
 * @throws {InexactIntegerError} at an integer beyond ±(2^53−1).
 */
export function ${streamName(id)}(
  client: ${pascal}Methods<'${id}'>,
  ${input}options?: CallOptions,
): AsyncGenerator<${item}, void, undefined> {
  return ${helper}(client, '${id}', ${input ? 'input' : '{}'}, options) as AsyncGenerator<${item}, void, undefined>;
}
`;
  });
  const named = [...new Set(lists.map(({ item }) => item).filter((item) => /^\w+$/.test(item)))];
  const others = lists.some(({ item }) => !/^\w+$/.test(item)) ? ['OperationId'] : [];
  const types = [
    'CallOptions',
    ...named,
    `${pascal}Methods`,
    ...(functions.length > 0 ? [pascal] : []),
    ...others,
  ];
  return `import { ${isTaken ? 'streamList as streamItems' : 'streamList'} } from '@contract-kit/client/stream';
import type { ${types.join(', ')} } from '${client}';
${functions.join('')}`;
}

/** \`listBooks\` is streamed by \`streamBooks\`. */
function streamName(id: string): string {
  return `stream${typeName(id.replace(/^list(?=[A-Z])/, ''))}`;
}

function itemType(service: Service, operation: Operation): string | undefined {
  const successes = operation.responses.filter(({ status }) => status < '300');
  const isList = successes.some(({ content }) => {
    const media = content.find(({ type }) => type === 'application/json');
    return [...service.model.schemas.typesOf(media?.schema)].join() === 'array';
  });
  const isStream = successes.some(({ content }) => content.some(({ form }) => form));
  const type = dataType(service, operation);
  if (!isList || isStream || type.includes(' | ')) return undefined;
  return type.endsWith('[]')
    ? type.slice(0, -2)
    : `Awaited<ReturnType<${service.pascal}['${operation.id}']>>[number]`;
}

function emitTesting({ client, contract, contractPackage, errorBody, names, pascal }: Service): string {
  const plans = Object.entries<Json>(contract.document['x-rate-limit-plans'] ?? {});
  const limited = plans
    .filter(([, { perMinute }]) => perMinute !== 'custom')
    .map(([id]) => JSON.stringify(id));
  const errors =
    contract.document['x-error-codes'] === undefined
      ? `, errors: ${JSON.stringify(fakeErrorsOf(contract.model, errorBody))}`
      : '';
  return `import { createFake, type FakeHandler, type FakeOptions, type FakeService } from '@contract-kit/client/testing';
import type { ErrorCode, OperationId, ${pascal}Methods } from '${client}';
import { basePath, errorCodes, examples, plans } from '${contractPackage}';
import { deprecations, operations } from './client-operations.ts';

export type { FakeAnswer, FakeFailure, FakeHandler, FakeRequest, FakeSuccess } from '@contract-kit/client/testing';

type Answers = {
  readonly [Id in OperationId]?: FakeHandler<Awaited<ReturnType<${pascal}Methods[Id]>>, ErrorCode>;
};

/** The options of \`createFake${pascal}\`. */
export interface Fake${pascal}Options extends FakeOptions<Answers, ${limited.join(' | ') || 'never'}> {}

export interface Fake${pascal} extends FakeService<ErrorCode, OperationId> {}

/**
 * Creates a service in memory, for tests: the paths, statuses, headers, quotas and bans of the real one, without data.
 *
 * @throws {TypeError} if the plan has no quota.
 */
export function createFake${pascal}(options: Fake${pascal}Options = {}): Fake${pascal} {
  const anonymousQuota = ${plans.some(([id]) => id === 'free') ? 'plans.free.quota' : JSON.stringify(ADDRESS_QUOTA)};
  const contract = { name: ${JSON.stringify(names.name)}, anonymousQuota, basePath, errorCodes, examples, operations, plans, deprecations${errors} };
  return createFake(contract, options as FakeOptions) as Fake${pascal};
}
`;
}

function emitFetch({ client, contractPackage, pascal }: Service): string {
  return `import { createPathClient, type ExactPaths, type PathClient } from '@contract-kit/client/openapi-fetch';
import { createFetch, InputError, type ${pascal}Options } from '${client}';
import type { components, operations, paths as Declared } from '${contractPackage}/schema';

/** The paths of the API, as openapi-typescript makes them; 64-bit integers of parameters may be digits or numbers, too. */
export interface paths extends ExactPaths<Declared> {}
export type { components, operations };

/**
 * Creates openapi-fetch's client of the API, over the \`fetch\` of \`create${pascal}\`: with its key, pacing, retries and
 * hooks. A path parameter that is missing, a dot segment or inexact is rejected with an \`InputError\`.
 *
 * @param options Those of \`create${pascal}\`.
 * @throws {TypeError} if an option is wrong.
 */
export function createClient(options: ${pascal}Options = {}): PathClient<Declared> {
  return createPathClient<Declared>(createFetch(options), InputError);
}
`;
}
