import { createRequire } from 'node:module';
import { schemaIn, type View } from '@petstore/contract/schema-view';
import type * as OpenapiTypescript from 'openapi-typescript';
import type { TypeNode } from 'typescript';
import { publishedContract, type Contract, type Json } from '../contract.ts';
import { isOpen, operationsOf, writtenOut, type Operation } from '../operations.ts';
import { exampleOf } from './examples.ts';
import { literal } from './literal.ts';
import { plainDocument } from './plain-document.ts';
import { headerTypesOf, operationValueOf, policyOf, serversOf } from './operation-values.ts';
import { reaches, requestBodyOf } from '../request-body.ts';

// To import it takes a second of processor: Node.js then searches all of TypeScript for the names that it exports.
const {
  default: openapiTS,
  astToString,
  stringToAST,
} = createRequire(import.meta.url)('openapi-typescript') as typeof OpenapiTypescript;

/** What is generated: file name to text. */
export type Outputs = Readonly<Record<string, string>>;

export async function emit(contract: Contract): Promise<Outputs> {
  const published = publishedContract(contract);
  const isWhole = published === contract;
  const prefix = isWhole ? '' : 'published-';
  return {
    ...(await emitCalls(contract, '')),
    ...(!isWhole && (await emitCalls(published, prefix))),
    'published.ts': emitPublished(prefix),
    'servers.ts': emitServers(contract),
    'plans.ts': emitPlans(contract.document['x-rate-limit-plans']),
    'errors.ts': emitErrors(contract.document['x-error-codes']),
    'document.ts': emitDocument(plainDocument(contract)),
    'examples.ts': emitExamples(published),
  };
}

/** What can be called, and its types. */
async function emitCalls(contract: Contract, prefix: string): Promise<Outputs> {
  const operations = operationsOf(contract);
  return {
    [`${prefix}schema.ts`]: await emitSchema(contract),
    [`${prefix}operations.ts`]: emitOperations(contract, operations, prefix),
    [`${prefix}policies.ts`]: emitPolicies(operations, prefix),
    [`${prefix}headers.ts`]: emitHeaders(contract, operations),
  };
}

function emitPublished(prefix: string): string {
  return `/* What is published of them: all but the internal operations, and what only those use. */
export { headerTypes } from './${prefix}headers.ts';
export { operations, type Operations } from './${prefix}operations.ts';
export { policies } from './${prefix}policies.ts';
export type { components } from './${prefix}schema.ts';
`;
}

async function emitSchema(contract: Contract): Promise<string> {
  const codes = Object.keys(contract.document['x-error-codes']).join();
  const open = (values: string[]) => {
    const known = values.join() === codes ? ['ErrorCode'] : values.map((value) => JSON.stringify(value));
    return typeNode([...known, '(string & {})'].join(' | '));
  };
  const nodes = await openapiTS(forTypes(contract), {
    silent: true,
    defaultNonNullable: false,
    transform(schema: Json) {
      if (schema.format === 'binary') return typeNode('Uint8Array');
      if (schema.format === EXACT)
        return typeNode([schema.type].flat().join(' | ').replace('integer', 'bigint'));
      if (schema['x-extensible-enum']) return open(schema['x-extensible-enum']);
      return undefined;
    },
  });
  return `import type { ErrorCode } from './errors.ts';\n\n${astToString(nodes)}`;
}

/** Stands for int64 in a parameter: its text carries all 64 bits, where JSON numbers are exact up to 2^53 only. */
const EXACT = 'int64 as text';

/**
 * The document as the generated types need it: with the words of each header beside the references to it; the schemas
 * of parameters written out, whose int64 are of another type than those of bodies; and each schema as it holds in a
 * reply, with a second and a third one beside it (`Pet.sent`, `Pet.received`) where it holds otherwise in a request.
 */
function forTypes(contract: Contract): Json {
  const { schemas = {} } = contract.document.components ?? {};
  const viewed: Record<string, Json> = {};
  const inView = (view: View, schema: Json): Json =>
    schemaIn(view, schema, {
      resolve: (child) => contract.resolve(child),
      refer: (reference) => referTo(view, reference),
    });
  const referTo = (view: View, reference: string): string => {
    const name = reference.split('/').at(-1) as string;
    const itsView = viewFor(contract, view, schemas[name]);
    if (itsView === 'reply') return reference;
    const key = `${name}.${itsView}`;
    if (!(key in viewed)) {
      viewed[key] = {};
      viewed[key] = inView(itsView, schemas[name]);
    }
    return `#/components/schemas/${key}`;
  };

  const asReplies = (responses: Record<string, Json> = {}) => {
    for (const media of Object.values(responses).flatMap(({ content }) => Object.values<Json>(content ?? {})))
      media.schema = inView('reply', media.schema);
  };

  const document = JSON.parse(JSON.stringify(plainDocument(contract)), (_key, value: Json) => {
    if (typeof value?.in === 'string' && value.schema) {
      const schema = structuredClone(writtenOut(contract, value.schema));
      for (const each of [schema, schema.items]) if (each?.format === 'int64') each.format = EXACT;
      return { ...value, schema };
    }
    for (const header of Object.values<Json>(value?.headers ?? {}))
      if (header.$ref) header.description ??= contract.resolve(header).description;
    if (typeof value?.operationId !== 'string') return value;
    asReplies(value.responses);
    if (!value.requestBody) return value;
    const { content, ...body } = contract.resolve(value.requestBody);
    const { schema } = content['application/json'];
    const views = { 'application/json': 'sent', [RECEIVED]: 'received' } as const;
    const media = Object.entries(views).map(([type, view]) => [type, { schema: inView(view, schema) }]);
    return { ...value, requestBody: { ...body, content: Object.fromEntries(media) } };
  });
  const { components = {} } = document;
  asReplies(components.responses);
  for (const name in schemas) components.schemas[name] = inView('reply', schemas[name]);
  Object.assign(components.schemas ?? {}, viewed);
  delete components.requestBodies;
  return JSON.parse(JSON.stringify(document), (_key, value: Json) => {
    // It names schemas as they are in replies; the branches say their tags themselves.
    if (value?.discriminator && value.oneOf) delete value.discriminator;
    return Array.isArray(value?.allOf) ? withRequiredOfParts(value) : value;
  });
}

/** For openapi-typescript, which does not look for what a part of an `allOf` requires of the others. */
function withRequiredOfParts(schema: Json): Json {
  const { allOf, required = [], ...others } = schema;
  const all = [...required, ...allOf.flatMap((part: Json) => part?.required ?? [])];
  const parts = allOf.filter((part: Json) => Object.keys(part).some((key) => !/^(type|required)$/.test(key)));
  return { ...others, allOf: parts, required: [...new Set(all)] };
}

/** Stands for a media type: the body as the handler receives it. */
const RECEIVED = 'received';

/** The view to read a schema in, where that of replies or of what is sent may be the same. */
function viewFor(contract: Contract, view: View, schema: Json): View {
  if (view === 'reply' || !reaches(contract, schema, ['readOnly', 'writeOnly', 'default'])) return 'reply';
  return reaches(contract, schema, ['default']) ? view : 'sent';
}

function typeNode(type: string): TypeNode {
  const [alias] = stringToAST(`type T = ${type}`) as unknown as { type: TypeNode }[];
  if (!alias) throw new Error(`not a type: ${type}`);
  return alias.type;
}

function emitOperations(contract: Contract, operations: readonly Operation[], prefix: string): string {
  const values = operations.map((operation) => [operation.id, operationValueOf(contract, operation)]);
  return `import type { Operation } from '../operation.ts';
import type { operations as Schemas } from './${prefix}schema.ts';

/** Every operation of the contract by its operationId: where it is, what it takes, what it may answer. */
export interface Operations {
${operations.map((operation) => `${jsDoc(operation)}\n  ${operation.id}: {${operationType(contract, operation)}\n  };`).join('\n')}
}

/** The same operations as values, for routing, for building requests and for reading replies. */
export const operations: { readonly [Id in keyof Operations]: Operation } = ${literal(Object.fromEntries(values))};
`;
}

function emitPolicies(operations: readonly Operation[], prefix: string): string {
  const policies = operations.map((operation) => [operation.id, policyOf(operation)]);
  return `import type { Policy } from '../operation.ts';
import type { Operations } from './${prefix}operations.ts';

/** What only who answers needs of each operation. */
export const policies = ${literal(Object.fromEntries(policies))} as const satisfies { readonly [Id in keyof Operations]: Policy };
`;
}

function operationType(contract: Contract, operation: Operation): string {
  const { id, method, path, parameters, responses } = operation;
  const schema = `Schemas[${JSON.stringify(id)}]`;
  const has = (place: string) => parameters.some((parameter) => parameter.in === place);
  const defaults = parameters.filter((parameter) => 'default' in parameter.schema);
  const requestBody = requestBodyOf(contract, operation);
  const body = (media: string) =>
    `NonNullable<${schema}['requestBody']>['content']['${media}']${requestBody?.isRequired ? '' : ' | undefined'}`;
  const fields = [
    ...(defaults.length > 0
      ? [`defaults: ${defaults.map(({ name }) => JSON.stringify(name)).join(' | ')};`]
      : []),
    ...(requestBody ? [`received: ${body(RECEIVED)};`] : []),
    ...(requestBody?.isFlat ? ['flat: true;'] : []),
    ...(isOpen(operation) ? ['open: true;'] : []),
  ];
  const replies = responses.map(({ status, definition: response }) => {
    const media = Object.keys(response.content ?? {});
    const schemaOfReply = `${schema}['responses'][${status}]`;
    const body = media.map((type) => `${schemaOfReply}['content'][${JSON.stringify(type)}]`);
    const codes: string[] = (response['x-error-codes'] ?? []).map((code: string) => JSON.stringify(code));
    const parts = [
      `headers: ${schemaOfReply}['headers'];`,
      ...(codes.length > 0 ? [`codes: ${codes.join(' | ')};`] : []),
      `body: ${body.join(' | ') || 'undefined'};`,
    ];
    return `\n      ${status}: {${parts.map((part) => `\n        ${part}`).join('')}\n      };`;
  });
  return `
    method: ${JSON.stringify(method.toUpperCase())};
    path: ${JSON.stringify(path)};
    input: {
      path: ${has('path') ? `${schema}['parameters']['path']` : '{}'};
      query: ${has('query') ? `NonNullable<${schema}['parameters']['query']>` : '{}'};
      headers: ${has('header') ? `NonNullable<${schema}['parameters']['header']>` : '{}'};
      body: ${requestBody ? body('application/json') : 'undefined'};
    };${fields.map((field) => `\n    ${field}`).join('')}
    replies: {${replies.join('')}\n    };`;
}

/** Apart from the operations, so that what is published of the one brings nothing of the other. */
function emitServers(contract: Contract): string {
  const { servers, info } = contract.document;
  return `/** The addresses of this version of the API. */
export const servers = ${literal(serversOf(contract))} as const;

/** The path that each of them ends in. */
export const basePath = ${JSON.stringify(new URL(servers[0].url).pathname)};

/** The version of the contract that this was generated from. */
export const contractVersion = ${JSON.stringify(info.version)};
`;
}

function emitHeaders(contract: Contract, operations: readonly Operation[]): string {
  return `/** The JSON type of every header that a reply may declare. */
export const headerTypes: Readonly<Record<string, string>> = ${literal(headerTypesOf(contract, operations))};
`;
}

function emitExamples(contract: Contract): string {
  const examples = operationsOf(contract).map((operation) => [operation.id, exampleOf(contract, operation)]);
  return `import type { Example } from '../operation.ts';
import type { Operations } from './published.ts';

/** A success of each published operation, as the contract shows it. */
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
    definition.summary,
    '',
    ...String(definition.description ?? '')
      .trim()
      .split('\n'),
  ];
  if (definition['x-stability']) lines.push('', `Stability: ${definition['x-stability']}.`);
  if (definition.deprecated) {
    lines.push(
      '',
      `@deprecated since ${definition['x-deprecated-since']}; goes away on ${definition['x-deprecated-sunset']}.`,
    );
  }
  return `  /**\n${lines.map((line) => `   * ${comment(line ?? '')}`.trimEnd()).join('\n')}\n   */`;
}

function comment(text: string): string {
  return text.replaceAll('*/', '*\\/');
}
