import { isAnnotation } from '@kit/contract/schema-view';
import type { Json } from '../../../source-document.ts';

/** The keywords of `schema` that ask something of its values, but for those that are `known`. */
export function keywordsBeside(schema: Json, ...known: readonly string[]): string[] {
  return Object.keys(schema).filter((keyword) => !known.includes(keyword) && !isAnnotation(keyword));
}
