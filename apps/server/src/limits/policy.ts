import type { BanPolicy } from '@petstore/contract/service';
import type { Config } from '../config.ts';

/** When keys are banned, and for how long, as it is configured. */
export function policyOf({ banRefusalRatio, banSeconds }: Config): BanPolicy {
  return { refusalRatio: banRefusalRatio, duration: banSeconds * 1000 };
}
