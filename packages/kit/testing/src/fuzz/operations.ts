import type { Contract } from '@contract-kit/core';
import { cookieWithKey, keyText, urlWithKey, JSON_LIMIT, pathShapeOf } from '@contract-kit/core/http';
import { invalidStatusOf } from '@contract-kit/core/errors';
import {
  isOpen,
  type Model,
  type Parameter,
  refusesOtherSites,
  type RequestBody,
  type Requirement,
  type Response,
  type SentMediaType,
} from '@contract-kit/core/model';
import { makingOf, type Making } from './values.ts';

export type Header = readonly [name: string, value: string];

/** The headers and query parameters that carry a key. */
export interface Credentials {
  readonly headers: readonly Header[];
  /** A target with the key in its query. */
  readonly targetOf: (target: string) => string;
}

interface Body {
  /** What clients send. */
  readonly media: SentMediaType;
  /** The media type of generated requests, which is no range. */
  readonly type: string;
  /** Whether bodies of other types are rejected. */
  readonly isOnly: boolean;
  readonly required: boolean;
  /** The most bytes. */
  readonly limit: number;
}

/** The parts of an operation's description that requests are generated from. */
export interface Operation {
  readonly making: Making;
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
  readonly responses: readonly Response[];
  readonly statuses: readonly number[];
  /** The status of an invalid request: 400 or 422. */
  readonly invalidStatus: number;
  /** How `key` is sent, for each alternative of its security; none if it is open to everyone. */
  readonly alternatives: readonly ((key: string) => Credentials)[];
  /** Whether it requires a key. */
  readonly secured: boolean;
  /** Whether requests from pages of other sites are refused. */
  readonly refusesOtherSites: boolean;
  /** The methods of its path: RFC 9110 §9.3.2 adds HEAD to GET, §9.3.7 adds OPTIONS. */
  readonly allow: readonly string[];
  /** Those that the contract describes, in lower case. */
  readonly describes: readonly string[];
}

/** Every operation of a contract. No operation is known by name. */
export function operationsIn(model: Model, { basePath: base }: Pick<Contract, 'basePath'>): Operation[] {
  const { schemas, operations } = model;
  const making = makingOf(schemas);
  const basePath = base.replace(/\/$/, '');
  const allPaths = [...new Set(operations.map(({ path }) => basePath + path))];
  const methods = new Map<string, string[]>();
  for (const { path, method } of operations)
    methods.set(pathShapeOf(path), [...(methods.get(pathShapeOf(path)) ?? []), method]);
  return operations.map((operation): Operation => {
    const { id, method, path, body, parameters, responses, security } = operation;
    const names = methods.get(pathShapeOf(path)) ?? [];
    return {
      ...{ id, method, basePath, allPaths, making, responses },
      invalidStatus: invalidStatusOf(operation),
      path: basePath + path,
      parameters,
      body: body && bodyOf(body),
      statuses: responses.flatMap(({ status }) => statusesOf(status)),
      alternatives: security.map((all) => (key) => credentialsOf(all, key)),
      secured: !isOpen(operation),
      refusesOtherSites: refusesOtherSites(operation, model),
      allow: [...new Set([...names, ...(names.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])],
      describes: names.map((name) => name.toLowerCase()),
    };
  });
}

/** All statuses that an entry of `responses` stands for: `404`, `4XX` or `default`. */
function statusesOf(entry: string): number[] {
  if (/^\d+$/.test(entry)) return [Number(entry)];
  const all = Array.from({ length: 400 }, (_, index) => 200 + index);
  return all.filter((status) => entry === 'default' || String(status).startsWith(entry.slice(0, 1)));
}

function credentialsOf(requirements: readonly Requirement[], key: string): Credentials {
  const credentials = requirements.flatMap(({ credential }) => credential ?? []);
  const inQuery = credentials.filter((credential) => credential.in === 'query');
  const inHeaders = credentials.filter((credential) => credential.in === 'header');
  const inCookies = credentials.filter((credential) => credential.in === 'cookie');
  const cookies = inCookies.map(({ name }) => cookieWithKey(name, key)).join('; ');
  return {
    headers: [
      // Two schemes may use one header.
      ...new Map(inHeaders.map(({ name, prefix }) => [name, keyText(prefix, key)])),
      ...(cookies ? [['Cookie', cookies] as const] : []),
    ],
    targetOf: (target) => inQuery.reduce((url, { name }) => urlWithKey(url, name, key), target),
  };
}

function bodyOf({ media, content, required, limit = JSON_LIMIT }: RequestBody): Body {
  const { type, kind } = media;
  return {
    media,
    type:
      kind === 'json'
        ? type.replace('*/*', 'application/json')
        : type.replace(/^\*/, 'application').replace('*', 'x'),
    isOnly: content.length === 1 && type === 'application/json',
    required,
    limit,
  };
}
