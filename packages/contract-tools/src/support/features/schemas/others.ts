import type { Json } from '../../../contract.ts';

const ANNOTATIONS = ['title', 'description', '$comment', 'example', 'examples', 'deprecated', 'externalDocs'];
const isDocumented = (name: string) => ANNOTATIONS.includes(name) || name.startsWith('x-');

/** The keywords of `schema` but those that are `known`, or say nothing of its values. */
export const others = (schema: Json, ...known: readonly string[]) =>
  Object.keys(schema).filter((name) => !known.includes(name) && !isDocumented(name));
