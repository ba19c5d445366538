import type { Operation } from '@kit/contract';
import { int64Digits } from '../exact-integers.ts';

/** The key in the headers that carry it; `undefined` unless it is in each of them. */
export function keyIn(headers: Headers, { credentials = { Authorization: 'Bearer' } }: Partial<Operation>) {
  const keys = Object.entries(credentials).map(([name, scheme]) => {
    const [given = '', text] = /^(?:(\S+) +)?(\S+)$/.exec(headers.get(name) ?? '')?.slice(1) ?? [];
    if (given.toLowerCase() !== scheme.toLowerCase()) return undefined;
    // RFC 7617 §2: the key is the password, for any user.
    return text && scheme === 'Basic' ? atob(text).replace(/^[^:]*:/, '') : text;
  });
  return keys.every((key) => key === keys[0]) ? keys[0] : undefined;
}

/** Why the operation does not take these parameters, as far as the client's table of operations says; else nothing. */
export function problemOf(
  { int64 = [], commaSeparated = [], nullable = [], query: known = [] }: Operation,
  path: Readonly<Record<string, string>>,
  query: URLSearchParams,
): string | undefined {
  const unknown = [...query.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) return `Unknown query parameter '${unknown}'.`;
  const inexact = int64.find((name) => {
    const texts = [path[name] ?? query.getAll(name)].flat();
    const values = commaSeparated.includes(name) ? texts.flatMap((text) => text.split(',')) : texts;
    return values.some((text) => !int64Digits(text) && !(text === '' && nullable.includes(name)));
  });
  return inexact && `${inexact} must be a 64-bit decimal integer.`;
}
