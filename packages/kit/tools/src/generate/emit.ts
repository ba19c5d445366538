import type { ServiceNames } from '@kit/contract';
import { preferred } from '@kit/contract/media-type';
import { headersOfDeprecation, headersOfEveryReply } from '@kit/contract/pipeline-headers';
import type { Contract, Json } from '../contract.ts';
import { basePathOf, isOpen, operationsOf, type Operation } from '../operations.ts';
import { anonymousQuotaOf, plansOf } from './contract-value.ts';
import { exampleOf } from './examples.ts';
import { literal } from './literal.ts';
import { plainDocument } from './plain-document.ts';
import { headerTypesOf, operationValueOf, policyOf, serversOf } from './operation-values.ts';
import { requestBodyOf } from '../request-body.ts';
import { emitSchema, RECEIVED } from './schema-types.ts';

/** What is generated: file name to text. */
export type Outputs = Readonly<Record<string, string>>;

export async function emit(contract: Contract, names: ServiceNames): Promise<Outputs> {
  const operations = operationsOf(contract);
  return {
    'contract.ts': emitContract(contract, names),
    'schema.ts': await emitSchema(contract),
    'operations.ts': emitOperations(contract, operations),
    'policies.ts': emitPolicies(operations),
    'headers.ts': emitHeaders(contract, operations),
    'servers.ts': emitServers(contract),
    'plans.ts': emitPlans(contract.document['x-rate-limit-plans'] ?? {}),
    'errors.ts': emitErrors(contract.document['x-error-codes'] ?? {}),
    'document.ts': emitDocument(plainDocument(contract)),
    'examples.ts': emitExamples(contract, operations),
  };
}

function emitOperations(contract: Contract, operations: readonly Operation[]): string {
  const values = operations.map((operation) => [operation.id, operationValueOf(contract, operation)]);
  return `import type { ErrorBody, Operation } from '@kit/contract';
import type { operations as Schemas } from './schema.ts';

/** Every operation of the contract by its operationId: where it is, what it takes, what it may answer. */
export interface Operations {
${operations.map((operation) => `${jsDoc(operation)}\n  ${operation.id}: {${operationType(contract, operation)}\n  };`).join('\n')}
}

/** The same operations as values, for routing, for building requests and for reading replies. */
export const operations: { readonly [Id in keyof Operations]: Operation } = ${literal(Object.fromEntries(values))};
`;
}

function emitPolicies(operations: readonly Operation[]): string {
  const policies = operations.map((operation) => [operation.id, policyOf(operation)]);
  return `import type { Policy } from '@kit/contract';
import type { Operations } from './operations.ts';

/** What only who answers needs of each operation. */
export const policies = ${literal(Object.fromEntries(policies))} as const satisfies { readonly [Id in keyof Operations]: Policy };
`;
}

function operationType(contract: Contract, operation: Operation): string {
  const { id, method, path, parameters, responses } = operation;
  const schema = `Schemas[${JSON.stringify(id)}]`;
  const has = (place: string) => parameters.some((parameter) => parameter.in === place);
  const requestBody = requestBodyOf(contract, operation);
  const fields = [
    ...(requestBody?.isFlat ? ['flat: true;'] : []),
    ...(isOpen(operation) ? ['open: true;'] : []),
  ];
  const replies = responses.map(({ status, definition: response }) => {
    const media = preferred(response.content)?.slice(0, 1) ?? [];
    const schemaOfReply = `${schema}['responses'][${keyOf(status)}]`;
    const body = media.map((type) => `${schemaOfReply}['content'][${JSON.stringify(type)}]`);
    const codes: string[] = (response['x-error-codes'] ?? []).map((code: string) => JSON.stringify(code));
    const parts = [
      `headers: ${schemaOfReply}['headers'];`,
      ...(codes.length > 0 ? [`codes: ${codes.join(' | ')};`] : []),
      `body: ${body.join(' | ') || 'undefined'};`,
    ];
    return `\n      ${keyOf(status)}: {${parts.map((part) => `\n        ${part}`).join('')}\n      };`;
  });
  return `
    method: ${JSON.stringify(method.toUpperCase())};
    path: ${JSON.stringify(path)};
    input: {
      path: ${has('path') ? `${schema}['parameters']['path']` : '{}'};
      query: ${has('query') ? `NonNullable<${schema}['parameters']['query']>` : '{}'};
      headers: ${has('header') ? `NonNullable<${schema}['parameters']['header']>` : '{}'};
      body: ${bodyType(contract, operation, 'application/json')};
    };${fields.map((field) => `\n    ${field}`).join('')}
    replies: {${replies.join('')}\n    };
    handler: {${handlerType(contract, operation)}\n    };`;
}

function bodyType(contract: Contract, operation: Operation, media: string): string {
  const requestBody = requestBodyOf(contract, operation);
  if (!requestBody) return 'undefined';
  const type = `NonNullable<Schemas[${JSON.stringify(operation.id)}]['requestBody']>['content']['${media}']`;
  return requestBody.isRequired ? type : `${type} | undefined`;
}

/** The finished types of the handler of an operation: all that it is given, and each response that it may return. */
function handlerType(contract: Contract, operation: Operation): string {
  const { id, parameters, responses, definition, security } = operation;
  const schema = `Schemas[${JSON.stringify(id)}]`;
  const part = (place: string, field: string) => {
    const own = parameters.filter((parameter) => parameter.in === place);
    if (own.length === 0) return '{}';
    const type = `NonNullable<${schema}['parameters']['${field}']>`;
    const filled = own.filter((parameter) => 'default' in parameter.schema);
    if (filled.length === 0) return type;
    return `${type} & Required<Pick<${type}, ${filled.map(({ name }) => JSON.stringify(name)).join(' | ')}>>`;
  };
  const caller = security.length === 0 ? 'none' : isOpen(operation) ? 'perhaps' : 'key';
  const elsewhere: readonly string[] = [
    ...headersOfEveryReply,
    ...(definition.deprecated ? headersOfDeprecation : []),
  ];
  const types = responses.map(({ status, definition: response }) => {
    const ofResponse = `${schema}['responses'][${keyOf(status)}]`;
    const own = Object.keys(response.headers ?? {}).filter((name) => !elsewhere.includes(name));
    const headers =
      own.length > 0
        ? `Pick<${ofResponse}['headers'], ${own.map((name) => JSON.stringify(name)).join(' | ')}>`
        : '{}';
    const codes: string[] = (response['x-error-codes'] ?? []).map((code: string) => JSON.stringify(code));
    const content = (preferred(response.content)?.slice(0, 1) ?? []).map(
      (type) => `${ofResponse}['content'][${JSON.stringify(type)}]`,
    );
    const body =
      codes.length > 0
        ? `ErrorBody<${codes.join(' | ')}, ${Number(status) || 'number'}>`
        : content.join(' | ') || 'undefined';
    return `\n        ${keyOf(status)}: { headers: ${headers}; body: ${body} };`;
  });
  return `
      input: {
        path: ${part('path', 'path')};
        query: ${part('query', 'query')};
        headers: ${part('header', 'header')};
        body: ${bodyType(contract, operation, RECEIVED)};
      };
      caller: '${caller}';
      responses: {${types.join('')}\n      };`;
}

/** A status as a key of a type: `404`, `"4XX"`. */
function keyOf(status: string): string {
  return /^\d+$/.test(status) ? status : JSON.stringify(status);
}

function emitContract(contract: Contract, names: ServiceNames): string {
  const plans = plansOf(contract);
  const anonymous = anonymousQuotaOf(plans);
  const quota = plans['free']?.quota ? 'plans.free.quota' : anonymous ? literal(anonymous) : 'undefined';
  return `import type { Contract } from '@kit/contract';
import { document } from './document.ts';
import { operations, type Operations } from './operations.ts';
import { plans } from './plans.ts';
import { policies } from './policies.ts';
import { basePath, contractVersion } from './servers.ts';

/** The contract as one value, for what serves it. */
export const contract: Contract<Operations> = {
${Object.entries(names)
  .map(([name, value]) => `  ${name}: ${JSON.stringify(value)},\n`)
  .join('')}  version: contractVersion,
  basePath,
  document,
  operations,
  policies,
  plans,
  anonymousQuota: ${quota},
};
`;
}

function emitServers(contract: Contract): string {
  const { servers, info } = contract.document;
  return `/** The addresses of this version of the API. */
export const servers = ${literal(serversOf(contract))} as const;

/** The path that each of them ends in. */
export const basePath = ${JSON.stringify(basePathOf(servers[0]))};

/** The version of the contract that this was generated from. */
export const contractVersion = ${JSON.stringify(info.version)};
`;
}

function emitHeaders(contract: Contract, operations: readonly Operation[]): string {
  return `/** The JSON type of every header that a reply may declare. */
export const headerTypes: Readonly<Record<string, string>> = ${literal(headerTypesOf(contract, operations))};
`;
}

function emitExamples(contract: Contract, operations: readonly Operation[]): string {
  const examples = operations.map((operation) => [operation.id, exampleOf(contract, operation)]);
  return `import type { Example } from '@kit/contract';
import type { Operations } from './operations.ts';

/** A success of each operation, as the contract shows it. */
export const examples: { readonly [Id in keyof Operations]: Example } = ${literal(Object.fromEntries(examples))};
`;
}

function emitPlans(plans: Record<string, Json>): string {
  const entries = Object.entries(plans).map(([id, { name, perMinute, perDay }]) => {
    const quota = perMinute === 'custom' ? 'undefined' : `{ perMinute: ${perMinute}, perDay: ${perDay} }`;
    return `  ${id}: { name: ${JSON.stringify(name)}, quota: ${quota} },`;
  });
  return `/** The rate-limit plans. A plan without a quota is a custom one: its two numbers are set with the key. */
export const plans = {
${entries.join('\n')}
} as const;
`;
}

function emitErrors(codes: Record<string, Json>): string {
  const entries = Object.entries(codes).map(([code, { status, description }]) => {
    return `  /** ${status}: ${comment(description)} */\n  ${code}: ${status},`;
  });
  return `/** Every error code known when this was generated, with the HTTP status it comes with. */
export const errorCodes = {
${entries.join('\n')}
} as const;

export type ErrorCode = keyof typeof errorCodes;
`;
}

function emitDocument(document: Json): string {
  return `/** The contract as a value. Typed as plain data: what reads it decides how far to trust its shape. */
export const document: Record<string, unknown> = ${literal(document)};
`;
}

function jsDoc({ definition }: Operation): string {
  const lines = [
    definition.summary ?? definition.operationId ?? '',
    '',
    ...String(definition.description ?? '')
      .trim()
      .split('\n'),
  ];
  if (definition['x-stability']) lines.push('', `Stability: ${definition['x-stability']}.`);
  if (definition.deprecated) {
    const { 'x-deprecated-since': since, 'x-deprecated-sunset': sunset } = definition;
    lines.push('', since ? `@deprecated since ${since}; goes away on ${sunset}.` : '@deprecated');
  }
  return `  /**\n${lines.map((line) => `   * ${comment(line ?? '')}`.trimEnd()).join('\n')}\n   */`;
}

function comment(text: string): string {
  return text.replaceAll('*/', '*\\/');
}
