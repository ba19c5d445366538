/* Requests of a contract, generated, and its verdict on every response: `@contract-kit/testing/fuzzer`. */
export { askRaw, type RawRequest } from '@contract-kit/server/internals';
export { createFuzzer, type Answer, type Operation, type Returned, type Target } from './fuzzer.ts';
