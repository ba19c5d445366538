/* What tests of the kitchen-sink contract are made with: `@petstore/server/kitchen-sink`. */
export { fuzzer, startTarget } from '../support/fuzzed.ts';
export * from './described.ts';
export { createHandlers, echo } from './echo.ts';
