import { takesCookie, type Operation } from '@contract-kit/core/model';
import type { Problem, SourceDocument } from '@contract-kit/core/openapi';

/** What changes something, as the first word of an operationId or a segment. */
const CHANGES =
  'accept activate approve archive ban book buy cancel change checkout clear close confirm create deactivate decline delete destroy disable edit enable erase execute grant insert invite login logout mark merge modify pay publish purge register reject remove rename replace reset restart revoke save send signin signout signup submit subscribe terminate toggle transfer trigger unpublish unsubscribe update upload';
const ALWAYS = new Set(CHANGES.split(' '));
/** Of operationIds alone: a segment such as `/add-ons` is a thing. */
const IN_IDS = new Set('add apply clone move patch post put run set start stop withdraw'.split(' '));
/** In segments, these are pages that show a form, or things. */
const NOT_IN_PATHS = new Set(['archive', 'book', 'edit', 'mark', 'ban', 'close', 'change']);

/** Remarks on a GET whose name says that it changes something, if it takes cookies: links and images of other sites get it. */
export function* checkCookies(contract: SourceDocument, operation: Operation): Iterable<Problem> {
  const { method, path, pointer, definition } = operation;
  if (method !== 'GET' || !takesCookie(operation, contract.model)) return;
  const name = definition.operationId ?? '';
  const verb = wordsOf(name.replace(/^.*controller[._]/i, '').replace(/^(do|handle)(?=[_A-Z])_?/, ''))[0];
  const isNamed = verb !== undefined && (ALWAYS.has(verb) || IN_IDS.has(verb));
  const isInPath = path.split('/').some((segment) => {
    const [first = ''] = segment.includes('{') ? [] : wordsOf(segment);
    return ALWAYS.has(first) && !NOT_IN_PATHS.has(first);
  });
  if (!isNamed && !isInPath) return;
  const at = isNamed ? [...pointer, 'operationId'] : pointer;
  const what = isNamed ? `the operationId ${name}` : 'its path';
  yield contract.problemAt(
    at,
    `GET ${path}: ${what} says that it changes something, and other sites can make a browser send it with its cookies: write post, which the service refuses from other sites`,
  );
}

/** `logOut`, `log_out` and `log-out` are the word `logout`. */
function wordsOf(name: string): string[] {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);
  const [first = '', second = ''] = words;
  return /^(log|sign|check)$/.test(first) && /^(in|out|up)$/.test(second) ? [first + second] : words;
}
