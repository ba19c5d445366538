/* What tests of a service need: `@contract-kit/testing`. */
export { createClock, createTestTools, startTestService } from '@contract-kit/server/internals';
export type { TestClock, TestServiceOptions } from '@contract-kit/server/internals';
export { describeService } from './describe-service.ts';
