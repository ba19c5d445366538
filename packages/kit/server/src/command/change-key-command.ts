import type { Contract } from '@contract-kit/core';
import type { Quota } from '@contract-kit/core/limits';
import type { Command } from 'commander';
import { operatorName } from '../config.ts';
import { NO_PLAN } from '../keys/create-key.ts';
import type { KeySettings, KeyStore } from '../keys/key-store.ts';
import { OperatorError } from '../operator-error.ts';
import {
  customQuota,
  hasPlans,
  hasScopes,
  keyIdArgument,
  noSuchKey,
  oneLine,
  planOption,
  scopeOption,
  withOwner,
  withQuotas,
  type WantedQuota,
} from './key-options.ts';
import { addPrintingCommand, print, type Output } from './output.ts';
import type { OpenStore } from './with-store.ts';

interface ChangeOptions extends Output, Partial<WantedQuota> {
  name?: string;
  owner?: string;
  /** False for `--no-scope`. */
  scope?: string[] | boolean;
}

export function addChangeKeyCommand(keys: Command, contract: Contract, withStore: OpenStore): void {
  const changing = addPrintingCommand(
    keys,
    'change',
    'change settings of a key, within 5 seconds',
  ).addArgument(keyIdArgument(contract));
  if (hasPlans(contract)) withQuotas(changing.addOption(planOption(contract)));
  if (hasScopes(contract))
    changing
      .addOption(scopeOption(contract, 'what the key may be used for, instead of its scopes until now'))
      .option('--no-scope', 'take all scopes from the key');
  changing.option('--name <name>', 'what people call the key', oneLine);
  withOwner(changing).action(async (id: string, options: ChangeOptions, invoked: Command) => {
    await withStore(async ({ keys }) => {
      const { after, changes } = await changeKey(contract, keys, id, (before) =>
        settingsAfter(contract, before, options, invoked),
      );
      const { perMinute, perDay } = after.quota;
      const { name, owner, plan, scopes } = after;
      const value = { id, name, owner, plan, perMinute, perDay, ...(scopes && { scopes }) };
      print(options, value, `${id}: ${changes}. All instances follow within 5 seconds.`);
    });
  });
}

/** Changes the settings of a key, and records what has changed. Throws an OperatorError if nothing has. */
async function changeKey(
  contract: Contract,
  keys: KeyStore,
  id: string,
  change: (before: KeySettings) => KeySettings,
): Promise<{ readonly after: KeySettings; readonly changes: string }> {
  const record = (await keys.list()).find((item) => item.id === id);
  if (!record) throw noSuchKey(contract, id);
  if (record.revokedAt !== undefined)
    throw new OperatorError(`${id} is revoked for good: create another key for its owner`);
  const after = change(record);
  const changes = changesBetween(record, after);
  if (changes === '')
    throw new OperatorError(
      `nothing to change: ${id} has these settings; see \`${contract.name} keys change --help\``,
    );
  const event = {
    action: 'changed',
    keyId: id,
    actor: operatorName(),
    at: new Date().toISOString(),
  } as const;
  if (!(await keys.change(id, record, after, { ...event, changes })))
    throw new OperatorError(`${id} was changed or revoked at the same time: look at it, then try again`);
  return { after, changes };
}

/** The settings of a key with these options. What is left out stays. */
function settingsAfter(
  contract: Contract,
  before: KeySettings,
  options: ChangeOptions,
  invoked: Command,
): KeySettings {
  const { name = before.name, owner = before.owner, plan = before.plan, perMinute, perDay } = options;
  const { scope = before.scopes } = options;
  const isQuotaKept = (options.plan ?? perMinute ?? perDay) === undefined;
  return {
    name,
    ...(owner !== undefined && { owner }),
    plan,
    // A plan that is given again brings the quotas that the contract has for it now.
    quota: isQuotaKept ? before.quota : quotaAfter(contract, before, { plan, perMinute, perDay }, invoked),
    ...(Array.isArray(scope) && { scopes: [...new Set(scope)] }),
  };
}

function quotaAfter(
  contract: Contract,
  before: KeySettings,
  { plan, perMinute, perDay }: WantedQuota,
  invoked: Command,
): Quota {
  const { plans } = contract;
  if (!Object.hasOwn(plans, plan)) {
    const why = plan === NO_PLAN ? 'the key has no plan yet' : `the contract has no plan ${plan} any more`;
    invoked.error(`error: ${why}; give --plan`);
  }
  const own: Partial<Quota> = plan === before.plan && !plans[plan]?.quota ? before.quota : {};
  const wanted = { plan, perMinute: perMinute ?? own.perMinute, perDay: perDay ?? own.perDay };
  return customQuota(contract, wanted, invoked) ?? (plans[plan]?.quota as Quota);
}

/** What differs, for people; empty if nothing does. */
function changesBetween(before: KeySettings, after: KeySettings): string {
  const shown = ({ name, owner, plan, quota, scopes = [] }: KeySettings) => ({
    name: JSON.stringify(name),
    owner: owner === undefined ? 'none' : JSON.stringify(owner),
    plan,
    'per minute': quota.perMinute,
    'per day': quota.perDay,
    scopes: scopes.join(' ') || 'none',
  });
  const [old, now] = [shown(before), shown(after)];
  return (Object.keys(old) as (keyof typeof old)[])
    .filter((field) => old[field] !== now[field])
    .map((field) => `${field} ${old[field]} → ${now[field]}`)
    .join(', ');
}
