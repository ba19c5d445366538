import type { Contract } from '@contract-kit/core';
import type { RateLimitState } from '@contract-kit/core/limits';
import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import type { KeyRecord } from '../keys/key-store.ts';
import { keyAccount } from '../limits/account.ts';
import { OperatorError } from '../operator-error.ts';
import { hasScopes, keyIdArgument, noSuchKey } from './key-options.ts';
import { addPrintingCommand, print, table, type Output } from './output.ts';
import type { OpenStore } from './with-store.ts';

export function addListKeysCommand(keys: Command, contract: Contract, withStore: OpenStore): void {
  addPrintingCommand(keys, 'list', 'list the keys, oldest first, with bans and when they end').action(
    async (options: Output) => {
      const records = await withStore((store) => store.keys.list());
      const keys = await withBans(contract, records);
      const none = `There are no keys yet: create one with \`${contract.name} keys create\`.`;
      print(options, keys, keys.length === 0 ? none : tableOf(keys, hasScopes(contract)));
    },
  );
}

export function addShowKeyCommand(keys: Command, contract: Contract, withStore: OpenStore): void {
  addPrintingCommand(keys, 'show', 'show a key and its limits')
    .addArgument(keyIdArgument(contract))
    .action(async (id: string, options: Output) => {
      const records = await withStore((store) => store.keys.list());
      const record = records.find((record) => record.id === id);
      if (!record) throw noSuchKey(contract, id);
      const state = await withRateLimits(contract, (stateOf) => stateOf(record));
      const { limit, remaining, resetAt } = state;
      const value = { ...shown(record, state), limit, remaining, resetAt: timeOf(resetAt) };
      const rows = Object.entries(value).map(([name, value]) => [name, String(value)]);
      print(options, value, table(['FIELD', 'VALUE'], rows));
    });
}

/** Runs `work` with the limiter's state. Loaded on demand, to keep other commands fast. */
async function withRateLimits<Result>(
  { name }: Contract,
  work: (stateOf: (key: KeyRecord) => Promise<RateLimitState>) => Promise<Result>,
): Promise<Result> {
  const { openRateLimitReader } = await import('../limits/rate-limit-reader.ts');
  const reader = await openRateLimitReader(name, readConfig());
  return work((key) => reader.stateOf(keyAccount(key))).finally(() => reader.close());
}

/** The keys with their bans, or without them if the bans cannot be read. */
async function withBans(contract: Contract, records: readonly KeyRecord[]): Promise<ShownKey[]> {
  const keys: ShownKey[] = [];
  try {
    await withRateLimits(contract, async (stateOf) => {
      for (const record of records) keys.push(shown(record, await stateOf(record)));
    });
    return keys;
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    console.error(`${contract.name}: bans are not shown: ${error.message}`);
    return records.map((record) => shown(record));
  }
}

const timeOf = (time: number) => new Date(time).toISOString();

function shown({ quota, ...record }: KeyRecord, state?: RateLimitState) {
  return { ...record, ...quota, ...(state?.isBanned && { bannedUntil: timeOf(state.resetAt) }) };
}

type ShownKey = ReturnType<typeof shown>;

function tableOf(keys: readonly ShownKey[], showsScopes: boolean): string {
  const columns: readonly (readonly [head: string, value: (key: ShownKey) => string | number | undefined])[] =
    [
      ['ID', ({ id }) => id],
      ['NAME', ({ name }) => name],
      ...(keys.some(({ owner }) => owner !== undefined)
        ? [['OWNER', ({ owner }: ShownKey) => owner] as const]
        : []),
      ['PLAN', ({ plan }) => plan],
      ['PER MINUTE', ({ perMinute }) => perMinute],
      ['PER DAY', ({ perDay }) => perDay],
      ['CREATED', ({ createdAt }) => createdAt],
      ['LAST USED', ({ lastUsedAt }) => lastUsedAt],
      ['REVOKED', ({ revokedAt }) => revokedAt],
      ['BANNED UNTIL', ({ bannedUntil }) => bannedUntil],
      ...(showsScopes ? [['SCOPES', ({ scopes }: ShownKey) => scopes?.join(' ')] as const] : []),
    ];
  return table(
    columns.map(([head]) => head),
    keys.map((key) => columns.map(([, valueOf]) => String(valueOf(key) ?? '-'))),
  );
}
