import { serializePrimitiveParam } from 'openapi-fetch';

/** A parameter of the query: one `name=value` for each text, or one for all if they are `joined`; '' if there is none. */
export function queryText(name: string, texts: readonly string[], joined?: boolean): string {
  return joined && texts[0] !== undefined
    ? `${name}=${texts.map(encodeURIComponent).join()}`
    : texts.map((each) => serializePrimitiveParam(name, each)).join('&');
}
