import { unknownParameter } from '@contract-kit/core/pipeline-errors';
import { invalidRequest } from '../http/api-error.ts';

const MAX_NAME_LENGTH = 100;

/**
 * The values of the query of a URL by name, with decoded names and raw values. Throws an ApiError for a name that is not in
 * `declared` and for wrong percent-encoding.
 */
export function queryTexts(url: string, declared: Pick<ReadonlySet<string>, 'has'>): Map<string, string[]> {
  const start = url.indexOf('?');
  return start === -1 ? new Map<string, string[]>() : pairTexts(url.slice(start + 1), 'query', declared);
}

/** The same of a form, or of the query without its question mark, in linear time. */
export function pairTexts(
  pairs: string,
  where: 'query' | 'body',
  declared?: Pick<ReadonlySet<string>, 'has'>,
): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  for (const pair of pairs.split('&')) {
    if (pair === '') continue;
    const end = pair.indexOf('=');
    const name = decoded(end === -1 ? pair : pair.slice(0, end), where);
    const text = end === -1 ? '' : pair.slice(end + 1);
    if (declared?.has(name) === false) {
      const parameter = name.slice(0, MAX_NAME_LENGTH);
      const violation = { parameter, pointer: '', message: 'is unknown' };
      throw invalidRequest(unknownParameter(parameter), [violation]);
    }
    decoded(text, where);
    const others = texts.get(name);
    if (others) others.push(text);
    else texts.set(name, [text]);
  }
  return texts;
}

/** RFC 3986 §2.1, and a plus for a space, as in forms. */
function decoded(text: string, where: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidRequest(`The ${where} is not percent-encoded correctly (RFC 3986 §2.1)`);
  }
}
