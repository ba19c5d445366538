import { credentialOf } from '../http/index.ts';
import { isOpen, type Model } from './model.ts';
import type { Operation } from './types.ts';

/** Whether any scheme carries its key in a cookie: an open operation recognizes that key too. */
const hasCookieScheme = ({ schemes }: Pick<Model, 'schemes'>): boolean =>
  [...schemes.values()].some((scheme) => credentialOf(scheme)?.in === 'cookie');

/** Whether an operation may be called with the key in a cookie. */
export function takesCookieKey(operation: Operation, model: Pick<Model, 'schemes'>): boolean {
  const isNamed = operation.security.flat().some(({ credential }) => credential?.in === 'cookie');
  return isNamed || (isOpen(operation) && hasCookieScheme(model));
}

/** Whether a browser is to send its cookies with a request of an operation, or to keep those of the response. */
export function takesCookie(operation: Operation, model: Pick<Model, 'schemes'>): boolean {
  return (
    takesCookieKey(operation, model) ||
    operation.parameters.some((parameter) => parameter.in === 'cookie') ||
    setsCookie(operation)
  );
}

export function setsCookie({ responses }: Operation): boolean {
  return responses.some(({ headers }) => headers.some(({ name }) => name.toLowerCase() === 'set-cookie'));
}

/**
 * Whether pages of other sites may not call an operation: browsers send the cookies of its service with their requests, or
 * keep those of its response, as after a login. What GET, HEAD and OPTIONS do is no harm, and links lead there.
 */
export function refusesOtherSites(operation: Operation, model: Pick<Model, 'schemes'>): boolean {
  if (/^(GET|HEAD|OPTIONS)$/.test(operation.method)) return false;
  return hasCookieScheme(model) || takesCookie(operation, model);
}
