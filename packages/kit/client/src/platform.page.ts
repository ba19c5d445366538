import type * as platform from './platform.ts';
import { ConnectionError, failure } from './errors.ts';
import { messageOf } from './redact.ts';

/* For pages, in place of `platform.ts`. What is wrong is refused or fails all the same, and says less of why. */

/** A user agent would have to be allowed by every API, in its response to a preflight (Fetch §4.9). */
export const standardOptions = (
  _service: object,
): Partial<ReturnType<typeof platform.standardOptions>> => ({});
/** Browsers hide it (Fetch §2.2.6). */
export const redirectedTo: typeof platform.redirectedTo = () => undefined;
export const follow: typeof platform.follow = (signal, abort) => {
  signal.addEventListener('abort', abort);
  return () => signal.removeEventListener('abort', abort);
};
/** Pages do not learn why a request failed, and tests have found a `fetch` that is wrong. */
export const noResponse: typeof platform.noResponse = ({ hide }, about, what, thrown) => {
  const why = hide(messageOf(thrown));
  return failure(ConnectionError, about, 'connection_failed', `${what}: ${why}`, new Error(why));
};
const wrong = () => 'wrong option';
export { wrong as addressProblem, wrong as environmentProblem, wrong as keyProblem };
export const notFoundAdvice: typeof platform.notFoundAdvice = () => 'Is baseUrl right?';
export const lineOf: typeof platform.lineOf = (name, event) => `${name} ${JSON.stringify(event)}`;
