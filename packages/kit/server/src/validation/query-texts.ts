import { pairTexts } from '@contract-kit/core/http';
import { errorTexts } from '@contract-kit/core/errors';
import { ApiError } from '../http/api-error.ts';

const MAX_NAME_LENGTH = 100;

interface QueryTexts {
  readonly texts: ReadonlyMap<string, readonly string[]>;
  readonly unknown: ReadonlySet<string>;
}

const inQuery = (text: string) => decodedText(text, 'query');
const NO_QUERY: QueryTexts = { texts: new Map(), unknown: new Set() };

/**
 * The values of the query of a URL by name, with decoded names and raw values, and the names that are not in `declared`.
 * Throws an ApiError for wrong percent-encoding.
 */
export function queryTexts(url: string, declared: Pick<ReadonlySet<string>, 'has'>): QueryTexts {
  const start = url.indexOf('?');
  if (start === -1) return NO_QUERY;
  const unknown = new Set<string>();
  const texts = pairTexts(url.slice(start + 1), inQuery, (name) => {
    const isKnown = declared.has(name);
    if (!isKnown) unknown.add(name.slice(0, MAX_NAME_LENGTH));
    return isKnown;
  });
  return { texts, unknown };
}

/** RFC 3986 §2.1, and a plus for a space, as in forms. */
export function decodedText(text: string, where: 'query' | 'body'): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new ApiError('invalid_request', errorTexts.malformed(where));
  }
}
