// Generated from openapi.yaml by `npm run generate` of contract-kit 0.1.0. Edit openapi.yaml instead.

import { createFake, type FakeHandler, type FakeOptions, type FakeService } from '@contract-kit/client/testing';
import type { ErrorCode, OperationId, PetstoreMethods } from '@petstore/client';
import { basePath, errorCodes, examples, plans } from '@petstore/contract';
import { deprecations, operations } from './client-operations.ts';

export type { FakeAnswer, FakeFailure, FakeHandler, FakeRequest, FakeSuccess } from '@contract-kit/client/testing';

type Answers = {
  readonly [Id in OperationId]?: FakeHandler<Awaited<ReturnType<PetstoreMethods[Id]>>, ErrorCode>;
};

/** The options of `createFakePetstore`. */
export interface FakePetstoreOptions extends FakeOptions<Answers, "free" | "pro" | "business"> {}

export interface FakePetstore extends FakeService<ErrorCode, OperationId> {}

/**
 * Creates a service in memory, for tests: the paths, statuses, headers, quotas and bans of the real one, without data.
 *
 * @throws {TypeError} if the plan has no quota.
 */
export function createFakePetstore(options: FakePetstoreOptions = {}): FakePetstore {
  const anonymousQuota = plans.free.quota;
  const contract = { name: "petstore", anonymousQuota, basePath, errorCodes, examples, operations, plans, deprecations };
  return createFake(contract, options as FakeOptions) as FakePetstore;
}
