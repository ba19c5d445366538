import {
  methodsOf,
  parameterOf,
  withShared,
  type METHODS,
  type Parameter as Described,
} from '@kit/contract/described-operation';
import { headersOfDeprecation, headersOfEveryResponse } from '@kit/contract/pipeline-headers';
import { pipelineErrors } from '@kit/contract/pipeline-errors';
import type { SourceDocument, Json, Pointer } from './source-document.ts';

export interface Parameter extends Omit<Described, 'schema'> {
  readonly schema: Json;
  readonly pointer: Pointer;
}

export interface Operation {
  /** Its name in code: the operationId if that is an identifier, otherwise derived from it or from method and path. */
  readonly id: string;
  readonly method: (typeof METHODS)[number];
  readonly path: string;
  readonly pointer: Pointer;
  readonly definition: Json;
  readonly parameters: readonly Parameter[];
  readonly responses: readonly Response[];
  /** Alternatives, each a list of security schemes (OpenAPI 3.1 §4.8.30). */
  readonly security: readonly (readonly string[])[];
  /** The scopes that each of these requires. */
  readonly scopes: readonly (readonly string[])[];
}

export interface Response {
  readonly status: string;
  readonly pointer: Pointer;
  readonly definition: Json;
}

/** Every operation of the contract, in the order the document gives them, with references resolved. */
export function operationsOf(contract: SourceDocument): Operation[] {
  const paths = Object.entries<Json>(contract.document.paths ?? {});
  const idOf = namer();
  return paths.flatMap(([path, item]) => {
    const pathItem = contract.resolve(item);
    return methodsOf(pathItem ?? {}).map((method): Operation => {
      const definition = pathItem[method];
      const pointer = ['paths', path, method];
      const security: Json[] = definition.security ?? contract.document.security ?? [];
      const shared = parametersAt(contract, pathItem.parameters, ['paths', path, 'parameters']);
      const own = parametersAt(contract, definition.parameters, [...pointer, 'parameters']);
      return {
        id: idOf(definition.operationId, method, path),
        method,
        path,
        pointer,
        definition,
        parameters: withShared(shared, own, (parameter) => parameter),
        security: security.map(Object.keys),
        scopes: security.map((alternative) => Object.values<string[]>(alternative).flat()),
        responses: Object.entries<Json>(definition.responses ?? {}).map(([status, response]) => ({
          status,
          pointer: [...pointer, 'responses', status],
          definition: contract.resolve(response),
        })),
      };
    });
  });
}

/** Another member of a client, and those of promises and JavaScript objects. */
const TAKEN = (name: string) => ['withOptions', 'then'].includes(name) || name in Object.prototype;

/** Finds a unique name for each operation: `animal.byId` is `animalById`, `GET /animals` is `getAnimals`. */
function namer() {
  const names = new Set<string>();
  return (operationId: unknown, method: string, path: string): string => {
    const words =
      typeof operationId === 'string' && /[a-z]/i.test(operationId) ? operationId : wordsOf(method, path);
    const isName = /^[a-z_$][\w$]*$/i.test(words);
    const camel = words.replaceAll(/[^a-z\d_$]+(.)?/gi, (_, next?: string) => (next ?? '').toUpperCase());
    const name = isName
      ? words
      : camel.replace(/^[^a-z_$]+/i, '').replace(/^[A-Z]/, (first) => first.toLowerCase());
    let unique = TAKEN(name) ? `${name}_` : name;
    for (let next = 2; names.has(unique); next += 1) unique = `${name}${next}`;
    names.add(unique);
    return unique;
  };
}

/** `GET /animals/{animalId}` is `get animals by animalId`. */
function wordsOf(method: string, path: string): string {
  return `${method} ${path.replaceAll(/\{([^}]*)\}/g, ' by $1')}`;
}

/** The declared successes, otherwise `default`. */
export function successesOf({ responses }: Operation): Response[] {
  const declared = responses.filter(({ status }) => /^[23]/.test(status));
  return declared.length > 0 ? declared : responses.filter(({ status }) => status === 'default');
}

export function nameOf({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`;
}

/** The headers of a response that its handler sets, not the pipeline. */
export function ownHeadersOf({ definition }: Operation, { headers = {} }: Json): [string, Json][] {
  const others: readonly string[] = [
    ...headersOfEveryResponse,
    ...(definition.deprecated ? headersOfDeprecation : []),
  ];
  return Object.entries<Json>(headers).filter(([name]) => !others.includes(name));
}

export function isOpen({ security }: Operation): boolean {
  return security.length === 0 || security.some((schemes) => schemes.length === 0);
}

export function hasScopes({ scopes }: Operation): boolean {
  return scopes.some((scope) => scope.length > 0);
}

/** The statuses of the errors that the pipeline may send instead of the operation's handler. */
export function ownStatusesOf(operation: Operation, document: Json): string[] {
  const { definition } = operation;
  const isPossible: Partial<Record<string, boolean>> = {
    401: !isOpen(operation),
    403: hasScopes(operation),
    413: definition.requestBody !== undefined,
    415: definition.requestBody !== undefined,
    429: document['x-rate-limit-plans'] !== undefined || !isOpen(operation),
  };
  const statuses = Object.values(pipelineErrors).flatMap((error) =>
    'replaces' in error ? [error.status] : [],
  );
  return [...new Set(statuses)].filter((status) => isPossible[status] ?? true).map(String);
}

function parametersAt({ document }: SourceDocument, list: Json[] = [], pointer: Pointer): Parameter[] {
  return list.map((entry, index) => ({ ...parameterOf(entry, document), pointer: [...pointer, index] }));
}

/** The address of a server, with the defaults of its variables. */
export function addressOf({ url, variables = {} }: Json): string {
  return String(url).replaceAll(/\{([^}]*)\}/g, (_, name: string) => String(variables[name]?.default ?? ''));
}

/** The path of `server` without a trailing slash; empty if the API starts at the root. */
export function basePathOf(server: Json): string {
  const address = addressOf(server);
  return URL.canParse(address, LOCAL) ? new URL(address, LOCAL).pathname.replace(/\/+$/, '') : '';
}

const LOCAL = 'http://localhost';

/** The name of a server in the client: `local` on this machine, the description's first word for the others. */
export function serverName({ url, description }: Json): string {
  const [word = ''] =
    String(description ?? '')
      .toLowerCase()
      .match(/[a-z]+/) ?? [];
  const address = addressOf({ url });
  return URL.canParse(address) && new URL(address).hostname === 'localhost' ? 'local' : word;
}
