import type * as platform from './platform.ts';
import { ConnectionError, failure } from './errors.ts';
import { thrownMessage } from './redact.ts';

/* For pages, instead of `platform.ts`: the same checks with shorter messages. */

/** Every API would have to allow a user agent in its preflight response (Fetch §4.9). */
export const standardOptions = (
  _service: object,
): Partial<ReturnType<typeof platform.standardOptions>> => ({});
/** Only developers need the default ones. */
export const hooksOf: typeof platform.hooksOf = ({ hooks }) => hooks;
/** Browsers hide it (Fetch §2.2.6). */
export const redirectedTo: typeof platform.redirectedTo = () => undefined;
export const follow: typeof platform.follow = (signal, abort) => {
  signal.addEventListener('abort', abort);
  return () => signal.removeEventListener('abort', abort);
};
/** Pages do not learn why a request failed. */
export const noResponse: typeof platform.noResponse = ({ hide }, about, what, thrown) => {
  const why = hide(thrownMessage(thrown));
  return failure(ConnectionError, about, 'connection_failed', `${what}: ${why}`, { cause: new Error(why) });
};
const wrong = () => 'wrong option';
export { wrong as addressProblem, wrong as environmentProblem, wrong as keyProblem, wrong as limitsProblem };
export const notFoundAdvice: typeof platform.notFoundAdvice = () => 'Is baseUrl right?';
export const logLine: typeof platform.logLine = (name, event) => `${name} ${JSON.stringify(event)}`;
