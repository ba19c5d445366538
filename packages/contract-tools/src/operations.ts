import { methodsOf, withShared, type METHODS } from '@petstore/contract/described-operation';
import type { Contract, Json, Pointer } from './contract.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required: boolean;
  /** With its references, and those of its items, written out. */
  readonly schema: Json;
  /** Whether the values of a list are written one by one, as `name=a&name=b`. */
  readonly explode: boolean;
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
export function operationsOf(contract: Contract): Operation[] {
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

/** Whether it can be called without any key. */
export function isOpen({ security }: Operation): boolean {
  return security.length === 0 || security.some((schemes) => schemes.length === 0);
}

function parametersAt(contract: Contract, list: Json[] | undefined, pointer: Pointer): Parameter[] {
  return (list ?? []).map((entry, index) => {
    const parameter = contract.resolve(entry);
    return {
      name: parameter.name,
      in: parameter.in,
      required: parameter.required === true,
      schema: writtenOut(contract, parameter.schema),
      explode: parameter.explode ?? parameter.in === 'query',
      pointer: [...pointer, index],
    };
  });
}

/** The schema of a parameter, which is that of a scalar or of a list of scalars, without references. */
export function writtenOut(contract: Contract, schema: Json): Json {
  const resolved: Json = contract.resolve(schema) ?? {};
  return resolved.items ? { ...resolved, items: contract.resolve(resolved.items) } : resolved;
}

/** The name of a server in the client: `local` on this machine, the description's first word for the others. */
export function serverName({ url, description }: Json): string {
  const [word = ''] =
    String(description ?? '')
      .toLowerCase()
      .match(/[a-z]+/) ?? [];
  return new URL(url).hostname === 'localhost' ? 'local' : word;
}
