import type { Contract } from '@contract-kit/core';
import {
  clientContentOf,
  isOpen,
  typeName,
  type MediaType,
  type Model,
  type Operation,
  type Schemas,
} from '@contract-kit/core/model';
import { type Json, type SourceDocument, declaredHeadersOf, serversOf } from '@contract-kit/core/openapi';
import { emitSchema } from './schema-types.ts';
import { RECEIVED } from './types-document.ts';

/** Generated files: name to text. */
export type Outputs = Readonly<Record<string, string>>;

/** The sources of the contract's package, for a published contract and its value. */
export async function emit(contract: SourceDocument, value: Contract): Promise<Outputs> {
  const { model } = contract;
  return {
    'schema.ts': await emitSchema(contract),
    'operations.ts': emitOperations(model),
    'errors.ts': emitErrors(contract.document['x-error-codes'] ?? {}),
    'plans.ts': emitPlans(value),
    'values.ts': emitValues(contract, model, value),
  };
}

/** One constant each, so that bundlers drop unused ones. */
function emitValues(contract: SourceDocument, model: Model, value: Contract): string {
  const { name, keyPrefix, databaseFile, published, version, generator, anonymousQuota, scopes } = value;
  // Without a spread, which would keep bundlers from dropping the document.
  const plain = Object.entries({
    ...{ name, keyPrefix, databaseFile, version, generator, anonymousQuota },
    ...(scopes && { scopes }),
    ...(published && { published }),
  });
  return `import type { Contract } from '@contract-kit/core';
import type { Operations } from './operations.ts';
import { plans } from './plans.ts';

/** The contract as plain data. */
export const document: Record<string, unknown> = ${dataLiteral(value.document)};

/** The operationId of every operation, in the order of the contract. */
export const operationIds = ${literal(model.operations.map(({ id }) => id))} as const;

/** A success of each operation: the contract's example if it is valid, otherwise one made from the schema. */
export const examples: Contract<Operations>['examples'] = ${dataLiteral(value.examples)};

/** The addresses of this version of the API. */
export const servers = ${literal(serversOf(contract))} as const;

/** The path at the end of each. */
export const basePath = ${JSON.stringify(value.basePath)};

export const contract: Contract<Operations> = {
${plain.map(([field, own]) => `  ${field}: ${JSON.stringify(own)},`).join('\n')}
  basePath,
  document,
  examples,
  plans,
};
`;
}

/* Error codes and plans have separate files: the client exports their types from different entries. */

function emitErrors(codes: Record<string, Json>): string {
  const entries = Object.entries(codes).map(([code, { status, description }]) => {
    return `${jsDoc('  ', [`${status}: ${description}`])}\n  ${code}: ${status},`;
  });
  return `/** Every known error code with its HTTP status. */
export const errorCodes = {
${entries.join('\n')}
} as const;

export type ErrorCode = keyof typeof errorCodes;
`;
}

function emitPlans({ plans }: Contract): string {
  const entries = Object.entries(plans).map(([id, { name, quota }]) => {
    return `  ${id}: { name: ${JSON.stringify(name)}, quota: ${JSON.stringify(quota)} },`;
  });
  return `/** The rate-limit plans. A custom plan has no quota: its two numbers are set with the key. */
export const plans = {
${entries.join('\n')}
} as const;
`;
}

function emitOperations({ operations, schemas }: Model): string {
  return `import type { operations as Schemas } from './schema.ts';

/** Every operation of the contract by its operationId. \`caller\` says whether a request has a key. */
export interface Operations {
${operations.map(emitOperation).join('\n')}
}
${operations.map((operation) => emitInput(schemas, operation) + emitResponses(operation)).join('')}`;
}

function emitOperation(operation: Operation): string {
  const { id, method, path, security, body } = operation;
  const caller = security.length === 0 ? 'none' : isOpen(operation) ? 'perhaps' : 'key';
  return `${operationDoc(operation)}
  ${id}: {
    method: ${JSON.stringify(method)};
    path: ${JSON.stringify(path)};
    caller: '${caller}';
    input: ${typeName(id)}Input;
    received: ${typeName(id)}Received;
    responses: ${typeName(id)}Responses;${body?.fields ? '\n    flat: true;' : ''}
  };`;
}

/** The type of a body that is sent in another media type than the preferred one. */
const OTHERS = { json: '', form: '', text: ' | string', bytes: ' | Uint8Array | Blob' } as const;

/** The input of callers, and that of the handler: validated, with defaults. */
function emitInput(schemas: Schemas, operation: Operation): string {
  const { id, parameters } = operation;
  const own = `Schemas[${JSON.stringify(id)}]`;
  const part = (place: string) => {
    const inPlace = parameters.filter((parameter) => parameter.in === place);
    const type = inPlace.length > 0 ? `NonNullable<${own}['parameters']['${place}']>` : '{}';
    const filled = inPlace
      .filter(({ schema }) => schemas.defaultOf(schema) !== undefined)
      .map(({ name }) => JSON.stringify(name));
    const renamed = inPlace.find(({ name, input }) => name !== input);
    const sent = renamed
      ? `Omit<${type}, 'body'> & { ${renamed.input}${renamed.required ? '' : '?'}: ${type}['body'] }`
      : type;
    const withDefaults = `${type} & Required<Pick<${type}, ${filled.join(' | ')}>>`;
    return { sent, received: filled.length > 0 ? withDefaults : type };
  };
  const { body: requestBody } = operation;
  const body = (media: string, others = '') => {
    if (!requestBody) return 'undefined';
    const type = `NonNullable<${own}['requestBody']>['content']['${media}']${others}`;
    return requestBody.required ? type : `${type} | undefined`;
  };
  const sentContent = clientContentOf(requestBody?.content ?? [], schemas);
  const kinds = new Set(sentContent.map(({ kind }) => kind));
  if (requestBody) kinds.delete(requestBody.media.kind);
  const others = [...kinds].map((kind) => OTHERS[kind]).join('');
  const bodies = { sent: body('application/json', others), received: body(RECEIVED) };
  const [path, query, headers, cookies] = [part('path'), part('query'), part('header'), part('cookie')];
  const fieldsIn = (view: 'sent' | 'received') => `{
  path: ${path[view]};
  query: ${query[view]};
  headers: ${headers[view]};${cookies[view] === '{}' ? '' : `\n  cookies: ${cookies[view]};`}
  body: ${bodies[view]};
}`;
  const [sent, received] = [fieldsIn('sent'), fieldsIn('received')];
  const name = typeName(id);
  return `
/** The input of \`${id}\` as callers send it. */
export interface ${name}Input ${sent}

/** The input of \`${id}\` as its handler receives it. */
export interface ${name}Received ${received === sent ? `extends ${name}Input {}` : received}
`;
}

function emitResponses(operation: Operation): string {
  const { id, responses } = operation;
  const emitted = responses.map((response) => {
    const { status, description, media, content, codes = [] } = response;
    const key = /^\d+$/.test(status) ? status : JSON.stringify(status);
    const declared = `Schemas[${JSON.stringify(id)}]['responses'][${key}]`;
    const own = declaredHeadersOf(operation, response).map(({ name }) => name);
    const contentType = ({ type, form }: MediaType) => {
      const value = `${declared}['content'][${JSON.stringify(type)}]`;
      return form ? `AsyncIterable<${value}>` : value;
    };
    const body = media ? contentType(media) : 'undefined';
    // The handler says which type of a range it sends.
    const isNamed = content.length > 1 || (media?.kind === 'bytes' && media.type.includes('*'));
    const bodies = content
      .map((item) => `\n      ${JSON.stringify(item.type)}: ${contentType(item)};`)
      .join('');
    return `${jsDoc('  ', [description])}
  ${key}: {
    headers: ${declared}['headers'];
    own: ${union(own)};${codes.length > 0 ? `\n    codes: ${union(codes)};` : ''}
    body: ${content.length > 1 ? content.map(contentType).join(' | ') : body};${isNamed ? `\n    bodies: {${bodies}\n    };` : ''}
  };`;
  });
  return `
/** The responses of \`${id}\` by status. \`own\` names the headers that the handler sets. */
export interface ${typeName(id)}Responses {
${emitted.join('\n')}
}
`;
}

function union(values: readonly string[]): string {
  return values.map((value) => JSON.stringify(value)).join(' | ') || 'never';
}

export function operationDoc({ id, definition }: Operation, tags: readonly string[] = []): string {
  const { summary = id, description = '', deprecated } = definition;
  const { 'x-stability': stability, 'x-deprecated-since': since, 'x-deprecated-sunset': sunset } = definition;
  const dates = since ? ` since ${since}${sunset ? `; goes away on ${sunset}` : ''}.` : '';
  const all = [...tags, ...(deprecated ? [`@deprecated${dates}`] : [])];
  return jsDoc('  ', [
    summary,
    ...(description ? ['', description.trim()] : []),
    ...(stability ? ['', `Stability: ${stability}.`] : []),
    ...(all.length > 0 ? ['', ...all] : []),
  ]);
}

export function jsDoc(indent: string, paragraphs: readonly string[]): string {
  const lines = paragraphs.join('\n').trim().replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */`;
}

/** In characters. A text of more is compiled and loaded in a fraction of the time and memory of the same as code. */
const LARGE = 1_000_000;

/** A value of JSON in a source; a large one as a text, line by line too. */
export function dataLiteral(value: unknown): string {
  const text = literal(value);
  if (text.length <= LARGE) return text;
  return `/* @__PURE__ */ JSON.parse(\`\n${text.replaceAll(/[\\`$]/g, String.raw`\$&`)}\`) as never`;
}

export function literal(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}
