import type { Json } from '../../../contract.ts';

const ANNOTATIONS = ['title', 'description', '$comment', 'example', 'examples', 'deprecated', 'externalDocs'];

/** Whether a keyword says nothing of values. */
export function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.includes(keyword) || keyword.startsWith('x-');
}

/** The keywords of `schema` that ask something of its values, but for those that are `known`. */
export function keywordsBeside(schema: Json, ...known: readonly string[]): string[] {
  return Object.keys(schema).filter((keyword) => !known.includes(keyword) && !isAnnotation(keyword));
}
