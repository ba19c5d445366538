import { methodsOf, withShared } from '../model/index.ts';
import type { SourceDocument, Json } from './source-document.ts';

/**
 * The contract with each operation in its place, for code that does not follow references to path items, or does not know
 * that an operation's parameter replaces that of its path item (OpenAPI 3.1 §4.8.9).
 */
export function inlinedDocument(contract: SourceDocument): Json {
  const components = { ...contract.document.components };
  delete components.pathItems;
  const paths = Object.entries<Json>(contract.document.paths).map(([path, item]) => {
    return [path, inlinedItem(contract, contract.resolve(item))];
  });
  return { ...contract.document, paths: Object.fromEntries(paths), components };
}

function inlinedItem(contract: SourceDocument, item: Json): Json {
  const { parameters: shared = [], ...rest } = item;
  const methods = methodsOf(item);
  const all = methods.map((method) =>
    withShared<Json>(shared, item[method].parameters ?? [], (parameter) => contract.resolve(parameter)),
  );
  const isReplaced = methods.some(
    (method, index) => all[index]?.length !== shared.length + (item[method].parameters ?? []).length,
  );
  if (!isReplaced) return item;
  const operations = methods.map((method, index) => [method, { ...item[method], parameters: all[index] }]);
  return { ...rest, ...Object.fromEntries(operations) };
}
