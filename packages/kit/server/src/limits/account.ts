import { plans } from '@petstore/contract';
import type { Account } from '@petstore/contract/service';

const KEY_PREFIX = 'key:';

/** The account of an API key. */
export function keyAccount({ id, quota, banGeneration }: Required<Account>): Account {
  return { id: KEY_PREFIX + id, quota, banGeneration };
}

/** The account of all requests from one client address that have no valid key. It is never banned. */
export function addressAccount(address: string): Account {
  return { id: `address:${address}`, quota: plans.free.quota };
}

export const isKeyAccount = (id: string): boolean => id.startsWith(KEY_PREFIX);
