import { isObject } from '@kit/contract/json-pointer';
import { subschemasOf } from '@kit/contract/schema-view';
import type { SourceDocument, Json } from './source-document.ts';

/** Whether `test` holds for a schema in `from`, or for one that it leads to by references and what is `below` it. */
export function leadsTo(
  contract: SourceDocument,
  from: readonly Json[],
  test: (schema: Json) => boolean,
  below: (schema: Json) => Json[] = subschemasOf,
  seen = new Set<Json>(),
): boolean {
  return from.some((item) => {
    const schema = contract.resolve(item);
    if (!isObject(schema) || seen.has(schema)) return false;
    seen.add(schema);
    return test(schema) || leadsTo(contract, below(schema), test, below, seen);
  });
}

export function reaches(contract: SourceDocument, schema: Json, keywords: readonly string[]): boolean {
  return leadsTo(contract, [schema], (item) => keywords.some((keyword) => keyword in item));
}
