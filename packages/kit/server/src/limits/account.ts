import type { Account, Quota } from '@kit/contract/windows';

const KEY_PREFIX = 'key:';

/** The account of an API key. */
export function keyAccount({ id, quota, banEpoch }: Required<Account>): Account {
  return { id: KEY_PREFIX + id, quota, banEpoch };
}

/** The account of all requests from one client address that have no valid key. It is never banned. */
export function addressAccount(address: string, quota: Quota): Account {
  return { id: `address:${address}`, quota };
}

export const isKeyAccount = (id: string): boolean => id.startsWith(KEY_PREFIX);

/** What an address may try of keys that are not valid, where the contract has no plans: no key can be guessed at that rate. */
export const GUESSING: Quota = { perMinute: 60, perDay: 24 * 60 * 60 };
