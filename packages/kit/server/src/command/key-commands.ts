import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import { wholeNumber } from './arguments.ts';
import { confirm, confirming, type Confirmed } from './confirm.ts';
import { addPrintingCommand, print, table, type Output } from './output.ts';
import type { ServiceDefinition, WithStore } from '../feature.ts';
import { operatorName, readConfig } from '../config.ts';
import { asOperatorError, OperatorError } from '../operator-error.ts';
import { allScopes, createKey, NO_PLAN } from '../keys/create-key.ts';
import type { AuditEvent, KeyRecord } from '../keys/key-store.ts';
import { keyAccount } from '../limits/account.ts';
import type { Store } from '../store/store.ts';
import type { Quota, RateLimitState } from '@kit/contract/windows';

interface CreateOptions extends Output {
  plan: string;
  name: string;
  perMinute?: number;
  perDay?: number;
  quiet?: boolean;
  scope?: string[];
}

const MAX_NAME = 200;
const quotaNumber = wholeNumber(1, 1_000_000_000);

export function addKeyCommands(
  program: Command,
  { contract }: ServiceDefinition,
  withStore: WithStore<Store>,
): void {
  const { name: command, plans } = contract;
  const keyId = new Argument('<id>', `the id of the key, such as key_…; see \`${command} keys list\``);
  const noSuchKey = (id: string) =>
    new OperatorError(`no key has the id ${id}: see \`${command} keys list\``);
  const keys = program.command('keys').description('create, list, show and revoke API keys');

  const planNames = Object.keys(plans);
  const planOption = new Option('--plan <plan>', 'rate-limit plan')
    .choices(planNames.length > 0 ? planNames : [NO_PLAN])
    .makeOptionMandatory();
  // Without plans nothing is counted, so there is no choice.
  if (planNames.length === 0) planOption.default(NO_PLAN).hideHelp();

  const scopes = allScopes(contract);
  const creating = addPrintingCommand(keys, 'create', 'create a key and print it once').addOption(planOption);
  if (scopes.length > 0)
    creating.addOption(new Option('--scope <scope...>', 'what the key may be used for').choices(scopes));
  creating
    .requiredOption('--name <name>', 'owner of the key', oneLine)
    .option('--per-minute <number>', 'requests per minute, for a plan with custom quotas', quotaNumber)
    .option('--per-day <number>', 'requests per day, for a plan with custom quotas', quotaNumber)
    .option('--quiet', 'print only the key')
    .action(create);

  addPrintingCommand(keys, 'list', 'list the keys, oldest first, with bans and when they end').action(
    async (options: Output) => {
      const records = await withStore((store) => store.keys.list());
      const keys = await withBans(records);
      const none = `There are no keys yet: create one with \`${command} keys create\`.`;
      print(options, keys, keys.length === 0 ? none : tableOf(keys, scopes.length > 0));
    },
  );

  addPrintingCommand(keys, 'show', 'show a key and its limits')
    .addArgument(keyId)
    .action(async (id: string, options: Output) => {
      const records = await withStore((store) => store.keys.list());
      const record = records.find((record) => record.id === id);
      if (!record) throw noSuchKey(id);
      const state = await withRateLimits((stateOf) => stateOf(record));
      const { limit, remaining, resetAt } = state;
      const value = { ...shown(record, state), limit, remaining, resetAt: timeOf(resetAt) };
      const rows = Object.entries(value).map(([name, value]) => [name, String(value)]);
      print(options, value, table(['FIELD', 'VALUE'], rows));
    });

  confirming(addPrintingCommand(keys, 'revoke', 'revoke a key for good, within 5 seconds'))
    .addArgument(keyId)
    .action(async (id: string, options: Output & Confirmed) => {
      await confirm(options, `Revoke ${id} for good?`);
      await change(id, 'revoked', (store) => store.keys.revoke(id, new Date()));
      print(options, { id, revoked: true }, `${id} is revoked. It stops working within 5 seconds.`);
    });

  addPrintingCommand(keys, 'unban', 'lift the ban of a key, within 5 seconds')
    .addArgument(keyId)
    .action(async (id: string, options: Output) => {
      await change(id, 'unbanned', (store) => store.keys.unban(id));
      print(options, { id, banned: false }, `The ban of ${id} ends within 5 seconds.`);
    });

  addPrintingCommand(program, 'audit', 'show the audit log of API keys').action(async (options: Output) => {
    const trail = await withStore((store) => store.keys.listAudit());
    const rows = trail.map(({ at, action, keyId, actor, scopes }) => {
      return [at, scopes === undefined ? action : `${action} for ${scopes}`, keyId, actor];
    });
    const text = rows.length === 0 ? 'The audit log is empty.' : table(['WHEN', 'WHAT', 'KEY', 'BY'], rows);
    print(options, trail, text);
  });

  async function create(options: CreateOptions, invoked: Command): Promise<void> {
    const { name, plan, scope: scopes } = options;
    const quota = customQuota(options, invoked);
    const wanted = { name, plan, quota, now: new Date(), actor: operatorName(), ...(scopes && { scopes }) };
    const created = await withStore((store) => createKey(store.keys, contract, wanted), {
      mayCreate: true,
    }).catch((error: unknown) => {
      throw asOperatorError('cannot create the key', error);
    });
    const { id, key } = created;
    const { perMinute, perDay } = created.quota;
    const limits = `plan ${plan}: ${perMinute} requests per minute, ${perDay} per day`;
    if (options.quiet) console.log(key);
    else
      print(
        options,
        { id, key, name, plan, perMinute, perDay, ...(scopes && { scopes }) },
        `${key}\n\n${id} for ${name}, ${plan === NO_PLAN ? 'without limits' : limits}.\n` +
          (scopes ? `Scopes: ${scopes.join(' ')}.\n` : '') +
          'Keep the key now: it is stored as a digest only and cannot be shown again.',
      );
  }

  async function change(
    keyId: string,
    action: AuditEvent['action'],
    make: (store: Store) => Promise<boolean>,
  ): Promise<void> {
    await withStore(async (store) => {
      if (!(await make(store))) throw noSuchKey(keyId);
      // Not by whether this call revoked it: an earlier one may have failed before it recorded that.
      const isRecorded = (event: AuditEvent) => event.keyId === keyId && event.action === 'revoked';
      if (action === 'revoked' && (await store.keys.listAudit()).some(isRecorded)) return;
      await store.keys.recordAudit({ action, keyId, actor: operatorName(), at: new Date().toISOString() });
    });
  }

  /** Runs `work` with the limiter's state. Loaded on demand, to keep other commands fast. */
  async function withRateLimits<Result>(
    work: (stateOf: (key: KeyRecord) => Promise<RateLimitState>) => Promise<Result>,
  ): Promise<Result> {
    const { openRateLimitReader } = await import('../limits/rate-limit-reader.ts');
    const reader = await openRateLimitReader(command, readConfig());
    return work((key) => reader.stateOf(keyAccount(key))).finally(() => reader.close());
  }

  /** The keys with their bans, or without them if the bans cannot be read. */
  async function withBans(records: readonly KeyRecord[]): Promise<ShownKey[]> {
    const keys: ShownKey[] = [];
    try {
      await withRateLimits(async (stateOf) => {
        for (const record of records) keys.push(shown(record, await stateOf(record)));
      });
      return keys;
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      console.error(`${command}: bans are not shown: ${error.message}`);
      return records.map((record) => shown(record));
    }
  }

  function customQuota({ plan, perMinute, perDay }: CreateOptions, invoked: Command): Quota | undefined {
    const hasQuota = perMinute !== undefined || perDay !== undefined;
    if (planNames.length === 0 || plans[plan]?.quota) {
      if (hasQuota)
        invoked.error(
          `error: the quotas of the plan ${plan} are fixed; leave --per-minute and --per-day out`,
        );
      return undefined;
    }
    if (perMinute === undefined || perDay === undefined) {
      invoked.error(`error: the plan ${plan} needs quotas; give both --per-minute and --per-day`);
    }
    return { perMinute, perDay };
  }
}

const timeOf = (time: number) => new Date(time).toISOString();

function shown({ quota, ...record }: KeyRecord, state?: RateLimitState) {
  return { ...record, ...quota, ...(state?.isBanned && { bannedUntil: timeOf(state.resetAt) }) };
}

type ShownKey = ReturnType<typeof shown>;

/** The list has one line per name, which a line break would forge. */
function oneLine(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  if (text.length > MAX_NAME || /[\p{Cc}\u2028\u2029]/u.test(text))
    throw new InvalidArgumentError(`It must be one line of at most ${MAX_NAME} characters.`);
  return text;
}

function tableOf(keys: readonly ShownKey[], showsScopes: boolean): string {
  const columns = ['ID', 'NAME', 'PLAN', 'PER MINUTE', 'PER DAY', 'CREATED', 'LAST USED', 'REVOKED'];
  return table(
    [...columns, 'BANNED UNTIL', ...(showsScopes ? ['SCOPES'] : [])],
    keys.map(({ id, name, plan, perMinute, perDay, createdAt, lastUsedAt, ...key }) => {
      const { revokedAt, bannedUntil, scopes } = key;
      const values = [id, name, plan, perMinute, perDay, createdAt, lastUsedAt, revokedAt, bannedUntil];
      return [...values, ...(showsScopes ? [scopes?.join(' ')] : [])].map((value) => String(value ?? '-'));
    }),
  );
}
