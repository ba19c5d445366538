import type { Json } from '../../source-document.ts';
import { schemaOf, type Find } from '../rule.ts';

export const JSON_TYPE = 'application/json';

/** The media types of request bodies, or of responses, for which `test` holds. */
export const media =
  (of: 'RequestBody' | 'Response', test: (type: string, schema: Json) => unknown): Find =>
  (value, { node: { pointer, parent }, contract }) =>
    parent?.kind === of && test(String(pointer.at(-1)), schemaOf(value, contract)) ? [[]] : [];
