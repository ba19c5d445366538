import {
  methodsOf,
  parameterOf,
  withShared,
  type METHODS,
  type Parameter as Described,
} from '@kit/contract/described-operation';
import { headersOfDeprecation, headersOfEveryResponse } from '@kit/contract/pipeline-headers';
import type { SourceDocument, Json, Pointer } from './source-document.ts';

export interface Parameter extends Omit<Described, 'schema'> {
  readonly schema: Json;
  readonly pointer: Pointer;
}

export interface Operation {
  readonly id: string;
  readonly method: (typeof METHODS)[number];
  readonly path: string;
  readonly pointer: Pointer;
  readonly definition: Json;
  readonly parameters: readonly Parameter[];
  readonly responses: readonly Response[];
  /** Who is let in: alternatives, each a list of security schemes (OpenAPI 3.1 §4.8.30). */
  readonly security: readonly (readonly string[])[];
}

export interface Response {
  readonly status: string;
  readonly pointer: Pointer;
  readonly definition: Json;
}

/** Every operation of the contract, in the order the document gives them, with references resolved. */
export function operationsOf(contract: SourceDocument): Operation[] {
  const paths = Object.entries<Json>(contract.document.paths ?? {}).filter(([path]) => path.startsWith('/'));
  return paths.flatMap(([path, item]) => {
    const pathItem = contract.resolve(item);
    return methodsOf(pathItem ?? {}).map((method): Operation => {
      const definition = pathItem[method];
      const pointer = ['paths', path, method];
      const shared = parametersAt(contract, pathItem.parameters, ['paths', path, 'parameters']);
      const own = parametersAt(contract, definition.parameters, [...pointer, 'parameters']);
      return {
        id: definition.operationId,
        method,
        path,
        pointer,
        definition,
        parameters: withShared(shared, own, (each) => each),
        security: (definition.security ?? contract.document.security ?? []).map(Object.keys),
        responses: Object.entries<Json>(definition.responses ?? {}).map(([status, response]) => ({
          status,
          pointer: [...pointer, 'responses', status],
          definition: contract.resolve(response),
        })),
      };
    });
  });
}

/** How messages call it. */
export function nameOf({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`;
}

/** The headers of a response that its handler sets: the pipeline sets the others. */
export function ownHeadersOf({ definition }: Operation, { headers = {} }: Json): [string, Json][] {
  const others: readonly string[] = [
    ...headersOfEveryResponse,
    ...(definition.deprecated ? headersOfDeprecation : []),
  ];
  return Object.entries<Json>(headers).filter(([name]) => !others.includes(name));
}

/** Whether it can be called without any key. */
export function isOpen({ security }: Operation): boolean {
  return security.length === 0 || security.some((schemes) => schemes.length === 0);
}

function parametersAt({ document }: SourceDocument, list: Json[] = [], pointer: Pointer): Parameter[] {
  return list.map((entry, index) => ({ ...parameterOf(entry, document), pointer: [...pointer, index] }));
}

/** The name of a server in the client: `local` on this machine, the description's first word for the others. */
export function serverName({ url, description }: Json): string {
  const [word = ''] =
    String(description ?? '')
      .toLowerCase()
      .match(/[a-z]+/) ?? [];
  return new URL(url).hostname === 'localhost' ? 'local' : word;
}
