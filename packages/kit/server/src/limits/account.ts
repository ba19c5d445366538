import type { Account, Quota } from '@contract-kit/core/limits';

const KEY_PREFIX = 'key:';

export function keyAccount(
  { id, quota, banEpoch }: Required<Omit<Account, 'word'>>,
  word?: Account['word'],
): Account {
  return { id: KEY_PREFIX + id, quota, banEpoch, ...(word && { word }) };
}

/** The account of all requests without a valid key from one address. It is never banned. */
export function addressAccount(address: string, quota: Quota): Account {
  return { id: `address:${address}`, quota };
}

export const isKeyAccount = (id: string): boolean => id.startsWith(KEY_PREFIX);

/** The quota for invalid keys per address if the contract has no plans: too low to guess a key. */
export const INVALID_KEY_QUOTA: Quota = { perMinute: 60, perDay: 24 * 60 * 60 };
