import { plans, type PlanId } from '@petstore/contract';
import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import { wholeNumber } from './arguments.ts';
import { addPrintingCommand, print, table, type Output } from './output.ts';
import { withStore } from './with-store.ts';
import { SetupError } from '../setup-error.ts';
import { createKey } from '../keys/create-key.ts';
import type { KeyRecord } from '../keys/key-store.ts';
import type { Quota } from '../limits/limiter.ts';

interface CreateOptions extends Output {
  plan: PlanId;
  name: string;
  perMinute?: number;
  perDay?: number;
}

const keyId = new Argument('<id>', 'the id of the key, such as key_…; see `petstore keys list`');
const quotaNumber = wholeNumber(1, 1_000_000_000);

export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('create, list and revoke API keys');

  addPrintingCommand(keys, 'create', 'create a key and print it, this once')
    .addOption(
      new Option('--plan <plan>', 'rate-limit plan').choices(Object.keys(plans)).makeOptionMandatory(),
    )
    .requiredOption('--name <name>', 'whose key it is', nonEmpty)
    .option('--per-minute <number>', 'requests per minute, for a plan with custom quotas', quotaNumber)
    .option('--per-day <number>', 'requests per day, for a plan with custom quotas', quotaNumber)
    .action(async (options: CreateOptions, command: Command) => {
      const quota = customQuota(options, command);
      const created = await withStore((store) =>
        createKey(store.keys, { name: options.name, plan: options.plan, quota, now: new Date() }),
      );
      const { id, key, name, plan } = created;
      print(
        options,
        { id, key, name, plan, ...created.quota },
        `${key}\n\n${id} for ${name}, plan ${plan}: ${limits(created.quota)}.\n` +
          'Keep the key now: it is stored as a digest only and cannot be shown again.',
      );
    });

  addPrintingCommand(keys, 'list', 'list the keys, oldest first').action(async (options: Output) => {
    const records = await withStore((store) => store.keys.list());
    print(
      options,
      records.map(({ quota, banGeneration, ...record }) => ({ ...record, ...quota, banGeneration })),
      records.length === 0
        ? 'There are no keys yet: create one with `petstore keys create`.'
        : tableOf(records),
    );
  });

  addPrintingCommand(keys, 'revoke', 'revoke a key: it stops working within 5 seconds, for good')
    .addArgument(keyId)
    .action(async (id: string, options: Output) => {
      if (!(await withStore((store) => store.keys.revoke(id, new Date())))) throw noSuchKey(id);
      print(options, { id, revoked: true }, `${id} is revoked. It stops working within 5 seconds.`);
    });

  addPrintingCommand(keys, 'unban', 'lift the ban of a key, within 5 seconds')
    .addArgument(keyId)
    .action(async (id: string, options: Output) => {
      if (!(await withStore((store) => store.keys.unban(id)))) throw noSuchKey(id);
      print(options, { id, banned: false }, `${id} is not banned any more. It works within 5 seconds.`);
    });
}

function customQuota({ plan, perMinute, perDay }: CreateOptions, command: Command): Quota | undefined {
  const given = perMinute !== undefined || perDay !== undefined;
  if (plans[plan].quota) {
    if (given)
      command.error(`error: the quotas of the plan ${plan} are fixed; leave --per-minute and --per-day out`);
    return undefined;
  }
  if (perMinute === undefined || perDay === undefined) {
    command.error(`error: the plan ${plan} has no quotas of its own; give both --per-minute and --per-day`);
  }
  return { perMinute, perDay };
}

function nonEmpty(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
}

function noSuchKey(id: string): SetupError {
  return new SetupError(`no key has the id ${id}: see \`petstore keys list\``);
}

function limits({ perMinute, perDay }: Quota): string {
  return `${perMinute} requests per minute, ${perDay} per day`;
}

function tableOf(records: readonly KeyRecord[]): string {
  return table(
    ['ID', 'NAME', 'PLAN', 'PER MINUTE', 'PER DAY', 'CREATED', 'LAST USED', 'REVOKED'],
    records.map(({ id, name, plan, quota, createdAt, lastUsedAt, revokedAt }) => [
      id,
      name,
      plan,
      String(quota.perMinute),
      String(quota.perDay),
      createdAt,
      lastUsedAt ?? '-',
      revokedAt ?? '-',
    ]),
  );
}
