export type { ClientContract, ClientOperation } from './client-contract.ts';
export { createClient } from './create-client.ts';
export { createFetch } from './create-fetch.ts';
export * from './errors.ts';
export type { Options } from './options.ts';
export * from './public.ts';
export { readStream } from './read-stream.ts';
export type * from './types.ts';
export { writeBody } from './write-body.ts';
