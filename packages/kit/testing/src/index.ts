/* The test support for services: `@contract-kit/server/testing`. */
export { describeService } from './describe-service.ts';
export { createClock, startTestService, type TestClock, type TestServiceOptions } from './service.ts';
