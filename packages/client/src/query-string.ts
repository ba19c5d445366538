import { serializePrimitiveParam } from 'openapi-fetch';

/** A parameter of the query: one `name=value` for each value, '' if there is none. */
export function queryPairs(name: string, value: unknown): string {
  const values = [value].flat() as string[];
  return values.map((each) => serializePrimitiveParam(name, each)).join('&');
}
