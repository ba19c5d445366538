// Generated from openapi.yaml by `npm run generate`. Edit openapi.yaml instead.

import type { Contract } from '@kit/contract';
import { document } from './document.ts';
import { operations, type Operations } from './operations.ts';
import { plans } from './plans.ts';
import { policies } from './policies.ts';
import { basePath, contractVersion } from './servers.ts';

/** The contract as one value, for what serves it. */
export const contract: Contract<Operations> = {
  name: "petstore",
  keyPrefix: "pst_",
  databaseFile: "petstore.db",
  version: contractVersion,
  basePath,
  document,
  operations,
  policies,
  plans,
  anonymousQuota: plans.free.quota,
};
