/*
 * `@contract-kit/server/internals`: what `@contract-kit/testing` and the command of contracts use. It may change with any
 * version.
 */
// The files of a service, its settings page, and what `check` serves without handlers.
export { startForCheck } from './checking.ts';
export { meanings, settings } from './config.ts';
export { deployFiles, renderFolder, templateValues } from './deploy/templates.ts';
export type { ShownSettings, TemplateValues } from './deploy/templates.ts';
export type { Document } from './docs/openapi.ts';
export { errorBodiesOf } from './validation/error-bodies.ts';
// A service in a test.
export { createClock, createTestTools, startTestService } from './testing/service.ts';
export type { TestClock, TestServiceOptions } from './testing/service.ts';
export type { AnyFeature, Features, ServiceDefinition } from './feature.ts';
export type { AnyHandler } from './pipeline/dispatch.ts';
// What the fuzzer knows of the server: how it keeps keys and responses, and what it validates responses with.
export { KEPT_FOR } from './idempotency/claim-table.ts';
export { apiKeyFormat, digestOf } from './keys/api-key.ts';
export type { KeyStore } from './keys/key-store.ts';
export { memoize } from './memoize.ts';
export { askRaw, connectRaw, responsesIn, sendRaw } from './testing/raw.ts';
export type { RawRequest } from './testing/raw.ts';
export { responseValidatorsOf, type ResponseValidator } from './validation/response-validator.ts';
