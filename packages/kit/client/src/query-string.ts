import { serializeArrayParam } from 'openapi-fetch';

/** A parameter of the query: one `name=value` per text, or one for all if they are `joined`; '' if it is missing. */
export function queryText(name: string, texts: readonly string[], joined = false): string {
  return texts.length > 0 ? serializeArrayParam(name, [...texts], { style: 'form', explode: !joined }) : '';
}
