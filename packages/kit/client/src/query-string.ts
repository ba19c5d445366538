import { serializeArrayParam } from 'openapi-fetch';

/** A parameter of the query: one `name=value` for each text, or one for all if they are `joined`; '' if there is none. */
export function queryText(name: string, texts: readonly string[], joined = false): string {
  return texts.length > 0 ? serializeArrayParam(name, [...texts], { style: 'form', explode: !joined }) : '';
}
