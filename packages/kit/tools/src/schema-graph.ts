import { isObject } from '@kit/contract/json-pointer';
import { subschemasOf } from '@kit/contract/schema-view';
import type { SourceDocument, Json } from './source-document.ts';

/** Whether a schema, or one that it leads to by references and subschemas, has one of the keywords. */
export function reaches(
  contract: SourceDocument,
  from: Json,
  keywords: readonly string[],
  seen = new Set<Json>(),
): boolean {
  const schema = contract.resolve(from);
  if (!isObject(schema) || seen.has(schema)) return false;
  seen.add(schema);
  if (keywords.some((keyword) => keyword in schema)) return true;
  return subschemasOf(schema).some((child) => reaches(contract, child, keywords, seen));
}
