import { invalidRequest } from '../http/api-error.ts';

const MAX_NAME_LENGTH = 100;

/**
 * The values of a query by name, with decoded names and raw values, in linear time. Throws an ApiError for a name that is
 * not in `declared` and for wrong percent-encoding.
 */
export function queryTexts(url: string, declared: Pick<ReadonlySet<string>, 'has'>): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  const start = url.indexOf('?');
  if (start === -1) return texts;
  for (const pair of url.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const end = pair.indexOf('=');
    const name = decoded(end === -1 ? pair : pair.slice(0, end));
    const text = end === -1 ? '' : pair.slice(end + 1);
    if (!declared.has(name))
      throw invalidRequest(`Unknown query parameter '${name.slice(0, MAX_NAME_LENGTH)}'`);
    decoded(text);
    const others = texts.get(name);
    if (others) others.push(text);
    else texts.set(name, [text]);
  }
  return texts;
}

/** RFC 3986 §2.1, and a plus for a space, as in forms. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidRequest('The query is not percent-encoded correctly (RFC 3986 §2.1)');
  }
}
