import { operations, type Operation } from '@petstore/contract';
import type { OperationId } from './types.ts';

/** An operation of the contract; of what the contract does not have, `successes` is not known. */
export type Definition = Pick<Operation, 'method' | 'path'> & Partial<Operation>;

/** What the contract says of an operation, or what may be said of a route such as `GET /pets`. */
export function definitionOf(operation: string, input: object = {}): Definition | undefined {
  if (Object.hasOwn(operations, operation)) return operations[operation as OperationId];
  const [, method, path] = /^([A-Z]+) (\/.*)$/.exec(operation) ?? [];
  if (!method || !path) return;
  return {
    method,
    path,
    ...(/^P(UT|OST|ATCH)$/.test(method) ? { body: 'fields' } : { query: Object.keys(input) }),
  };
}
