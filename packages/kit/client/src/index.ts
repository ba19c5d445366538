export { createClient } from './create-client.ts';
export { createFetch, type PacedFetch } from './create-fetch.ts';
export { knownCodes, namesOf, type NamesOf } from './error-code.ts';
export * from './errors.ts';
export type * from './events.ts';
export type { Clock, Fetch, FetchInit, Hook, Logger, Options } from './options.ts';
export type * from './types.ts';
