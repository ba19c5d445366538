import type { Contract } from '@contract-kit/core';
import {
  methodsOf,
  modelOf,
  objectAt,
  partTypesOf,
  schemasOf,
  type Parameter,
  type RequestBody,
} from '@contract-kit/core/model';
import { isObject, type JsonObject } from '@contract-kit/core/json-pointer';
import { pipelineErrors, statusFor } from '@contract-kit/core/pipeline-errors';
import { componentsIn, schemaIn } from '@contract-kit/core/schema-view';
import { exampleOf } from '@contract-kit/core/shown-example';

export type Header = readonly [name: string, value: string];

/** The headers and query parameters that carry a key. */
interface Credentials {
  readonly headers: readonly Header[];
  /** `name=value` for each query parameter. */
  readonly query: readonly string[];
}

interface Body {
  /** The media type of generated requests. */
  readonly type: string;
  /** Whether bodies of other types are rejected. */
  readonly isOnly: boolean;
  readonly schema: JsonObject;
  /** The contract's example, or one that is made from the schema. */
  readonly example: unknown;
  readonly required: boolean;
  /** The media types that the parts of a form may have. */
  readonly partTypes: Readonly<Record<string, readonly string[]>>;
}

/** The parts of an operation's description that requests are generated from. */
export interface Operation {
  /** The contract with the schemas of requests, without properties of responses only. */
  readonly document: JsonObject;
  readonly definition: JsonObject;
  readonly id: string;
  readonly method: string;
  /** The prefix of every path. */
  readonly basePath: string;
  /** The template of its path, base path included. */
  readonly path: string;
  /** The templates of all paths of the contract. */
  readonly allPaths: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body: Body | undefined;
  readonly statuses: readonly number[];
  /** The status of an invalid request: 400 or 422. */
  readonly invalidStatus: number;
  /** How `key` is sent, for each alternative of its security; none if it is open to everyone. */
  readonly alternatives: readonly ((key: string) => Credentials)[];
  /** Whether it requires a key. */
  readonly secured: boolean;
  /** The methods of its path: RFC 9110 §9.3.2 adds HEAD to GET, §9.3.7 adds OPTIONS. */
  readonly allow: readonly string[];
  /** Those that the contract describes, in lower case. */
  readonly describes: readonly string[];
}

/** Every operation of `contract`. No operation is known by name. */
export function operationsIn(contract: Pick<Contract, 'document' | 'operations' | 'basePath'>): Operation[] {
  const components = {
    ...objectAt(contract.document, 'components'),
    ...componentsIn('sent', contract.document),
  };
  const document: JsonObject = { ...contract.document, components };
  const basePath = contract.basePath.replace(/\/$/, '');
  const idOf = (method: string, path: string) =>
    Object.entries(contract.operations).find(
      ([, operation]) => operation.path === path && operation.method.toLowerCase() === method,
    )?.[0];
  const schemes = objectAt(components, 'securitySchemes');
  const allPaths = Object.keys(objectAt(document, 'paths')).map((path) => basePath + path);
  return Object.entries(objectAt(document, 'paths')).flatMap(([path, entry]) => {
    const item = schemasOf(document).resolve(entry);
    const methods = methodsOf(item);
    const names = methods.map((method) => method.toUpperCase());
    return methods.map((method): Operation => {
      const { definition, parameters, body } = modelOf(document).operationAt({
        method: method.toUpperCase(),
        path,
      });
      const security = (definition['security'] ?? document['security'] ?? []) as object[];
      const kinds = security.map((alternative) =>
        Object.keys(alternative).map((name) => objectAt(schemes, name)),
      );
      const id = idOf(method, path) ?? '';
      return {
        document,
        definition,
        id,
        invalidStatus: statusFor(
          pipelineErrors.invalid_request,
          contract.operations[id] ?? { method, errors: [] },
        ),
        method: method.toUpperCase(),
        basePath,
        path: basePath + path,
        allPaths,
        parameters,
        body: body && bodyOf(body, document),
        statuses: Object.keys(objectAt(definition, 'responses')).flatMap(statusesOf),
        alternatives: kinds.map((all) => (key) => credentialsOf(all, key)),
        secured: kinds.length > 0 && kinds.every(({ length }) => length > 0),
        allow: [...new Set([...names, ...(names.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])],
        describes: methods,
      };
    });
  });
}

/** All statuses that an entry of `responses` stands for: `404`, `4XX` or `default`. */
function statusesOf(entry: string): number[] {
  if (/^\d+$/.test(entry)) return [Number(entry)];
  const all = Array.from({ length: 400 }, (_, index) => 200 + index);
  return all.filter((status) => entry === 'default' || String(status).startsWith(entry.slice(0, 1)));
}

function credentialsOf(schemes: readonly JsonObject[], key: string): Credentials {
  const inQuery = schemes.filter((scheme) => scheme['in'] === 'query');
  return {
    // Two schemes may use one header.
    headers: [
      ...new Map(
        schemes.filter((scheme) => !inQuery.includes(scheme)).map((scheme) => headerOf(scheme, key)),
      ),
    ],
    query: inQuery.map(({ name }) => `${encodeURIComponent(String(name))}=${key}`),
  };
}

/** In HTTP Basic any user may have the key as password (RFC 7617 §2). */
function headerOf({ type, scheme, name }: JsonObject, key: string): Header {
  if (type === 'apiKey') return [String(name), key];
  const isBasic = /^basic$/i.test(String(scheme));
  return ['Authorization', isBasic ? `Basic ${Buffer.from(`:${key}`).toString('base64')}` : `Bearer ${key}`];
}

function bodyOf({ media, content, required }: RequestBody, document: JsonObject): Operation['body'] {
  const { type, kind } = media;
  const schema = schemaIn('sent', media.schema, { schemas: schemasOf(document) });
  return {
    type:
      kind === 'json'
        ? type.replace('*/*', 'application/json')
        : type.replace(/^\*/, 'application').replace('*', 'x'),
    isOnly: content.length === 1 && type === 'application/json',
    schema: isObject(schema) ? schema : {},
    example: exampleOf(document, media),
    required,
    partTypes: partTypesOf(media),
  };
}
