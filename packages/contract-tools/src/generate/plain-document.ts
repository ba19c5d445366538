import { METHODS } from '@petstore/contract/described-operation';
import type { Contract, Json } from '../contract.ts';
import { overrides } from '../operations.ts';

/**
 * The contract with each operation in its place, for whoever does not follow references to path items, or does not know
 * that a parameter of an operation stands in place of one of its path item (OpenAPI 3.1 §4.8.9).
 */
export function plainDocument(contract: Contract): Json {
  const components = { ...contract.document.components };
  delete components.pathItems;
  const paths = Object.entries<Json>(contract.document.paths).map(([path, item]) => {
    return [path, plainItem(contract, contract.resolve(item))];
  });
  return { ...contract.document, paths: Object.fromEntries(paths), components };
}

function plainItem(contract: Contract, item: Json): Json {
  const { parameters: shared = [], ...rest } = item;
  const isOverridden = (each: Json, own: Json[] = []) =>
    own.some((other) => overrides(contract.resolve(other), contract.resolve(each)));
  const methods = METHODS.filter((method) => item[method]);
  if (!methods.some((method) => shared.some((each: Json) => isOverridden(each, item[method].parameters))))
    return item;
  const operations = methods.map((method) => {
    const { parameters: own = [], ...definition } = item[method];
    const kept = shared.filter((each: Json) => !isOverridden(each, own));
    return [method, { ...definition, parameters: [...kept, ...own] }];
  });
  return { ...rest, ...Object.fromEntries(operations) };
}
