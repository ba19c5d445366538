import type * as advice from './advice.ts';

/* What `advice.ts` says, as briefly as it can be said. Nothing but texts and checks of types may differ. */

export const optionsProblem: typeof advice.optionsProblem = () => undefined;
export const addressProblem: typeof advice.addressProblem = () => 'baseUrl is malformed or not https';
export const keyProblem: typeof advice.keyProblem = () => 'apiKey is missing or malformed';
export const notFoundAdvice: typeof advice.notFoundAdvice = () => 'Is baseUrl right?';
export const lineOf: typeof advice.lineOf = (name, event) => `${name} ${JSON.stringify(event)}`;
/** The types mark deprecated operations; nobody reads this on a user's machine. */
export const warnOnce: typeof advice.warnOnce = () => {};
