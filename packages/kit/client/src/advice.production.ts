import type * as advice from './advice.ts';

/* In place of `advice.ts`, for pages. What is wrong is refused or fails all the same, and says less of why. */

export const optionsProblem: typeof advice.optionsProblem = () => undefined;
export const addressProblem: typeof advice.addressProblem = () => 'baseUrl is malformed or not https';
export const environmentProblem: typeof advice.environmentProblem = () => 'environment is unknown';
export const keyProblem: typeof advice.keyProblem = () => 'apiKey is missing or malformed';
/** It fails where it is used. */
export const responseProblem: typeof advice.responseProblem = () => undefined;
/** Pages do not learn why a request failed, and tests have found a `fetch` that is wrong. */
export const flawOf: typeof advice.flawOf = () => undefined;
export const notFoundAdvice: typeof advice.notFoundAdvice = () => 'Is baseUrl right?';
export const lineOf: typeof advice.lineOf = (name, event) => `${name} ${JSON.stringify(event)}`;
/** The types mark deprecated operations; nobody reads this on a user's machine. */
export const warnOnce: typeof advice.warnOnce = () => {};
