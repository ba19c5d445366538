import { methodsOf } from '@petstore/contract/described-operation';
import type { Contract, Json } from '../contract.ts';
import { inherited, keyOf } from '../operations.ts';

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
  const operations = methodsOf(item).map((method) => {
    const { parameters: own = [], ...definition } = item[method];
    const kept = inherited<Json>(shared, own, (each) => keyOf(contract.resolve(each)));
    return { method, kept, definition: { ...definition, parameters: [...kept, ...own] } };
  });
  if (operations.every(({ kept }) => kept.length === shared.length)) return item;
  return { ...rest, ...Object.fromEntries(operations.map(({ method, definition }) => [method, definition])) };
}
