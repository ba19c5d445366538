import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import { wholeNumberArgument } from './arguments.ts';
import { confirm, confirming, type Confirmed } from './confirm.ts';
import { addPrintingCommand, print, table, type Output } from './output.ts';
import type { OpenStore } from './with-store.ts';
import type { ServiceDefinition } from '../feature.ts';
import { operatorName, readConfig } from '../config.ts';
import { asOperatorError, OperatorError } from '../operator-error.ts';
import { createKey, NO_PLAN } from '../keys/create-key.ts';
import type { AuditEvent, KeyRecord, KeySettings } from '../keys/key-store.ts';
import { keyAccount } from '../limits/account.ts';
import type { Store } from '../store/store.ts';
import type { Quota, RateLimitState } from '@contract-kit/core/limits';

interface WantedQuota {
  plan: string;
  perMinute?: number | undefined;
  perDay?: number | undefined;
}

interface CreateOptions extends Output, WantedQuota {
  name: string;
  owner?: string;
  quiet?: boolean;
  scope?: string[];
}

interface ChangeOptions extends Output, Partial<WantedQuota> {
  name?: string;
  owner?: string;
  /** False for `--no-scope`. */
  scope?: string[] | boolean;
}

const OWNER = 'whose the key is, such as a customer: all keys of one owner act for it';
const MAX_NAME = 200;
const quotaNumber = wholeNumberArgument(1, 1_000_000_000);

export function addKeyCommands(
  program: Command,
  { contract }: ServiceDefinition,
  withStore: OpenStore,
): void {
  const { name: command, plans } = contract;
  const keyId = new Argument('<id>', `the id of the key, such as key_…; see \`${command} keys list\``);
  const noSuchKey = (id: string) =>
    new OperatorError(`no key has the id ${id}: see \`${command} keys list\``);
  const keys = program.command('keys').description('create, list, show, change and revoke API keys');

  const planNames = Object.keys(plans);
  const planOption = () =>
    new Option('--plan <plan>', 'rate-limit plan').choices(planNames.length > 0 ? planNames : [NO_PLAN]);
  const requiredPlan = planOption().makeOptionMandatory();
  // Without plans nothing is counted, so there is no choice.
  if (planNames.length === 0) requiredPlan.default(NO_PLAN).hideHelp();

  const { scopes = [] } = contract;
  const scopeOption = (description: string) => new Option('--scope <scope...>', description).choices(scopes);
  const withQuotas = (command: Command) =>
    command
      .option('--per-minute <number>', 'requests per minute, for a plan with custom quotas', quotaNumber)
      .option('--per-day <number>', 'requests per day, for a plan with custom quotas', quotaNumber);
  const creating = addPrintingCommand(keys, 'create', 'create a key and print it once').addOption(
    requiredPlan,
  );
  if (scopes.length > 0) creating.addOption(scopeOption('what the key may be used for'));
  creating.requiredOption('--name <name>', 'what people call the key', oneLine);
  if (planNames.length > 0) withQuotas(creating);
  creating.option('--owner <owner>', OWNER, oneLine).option('--quiet', 'print only the key').action(create);

  const changing = addPrintingCommand(
    keys,
    'change',
    'change settings of a key, within 5 seconds',
  ).addArgument(keyId);
  if (planNames.length > 0) withQuotas(changing.addOption(planOption()));
  if (scopes.length > 0)
    changing
      .addOption(scopeOption('what the key may be used for, instead of its scopes until now'))
      .option('--no-scope', 'take all scopes from the key');
  changing
    .option('--name <name>', 'what people call the key', oneLine)
    .option('--owner <owner>', OWNER, oneLine)
    .action(changeSettings);

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
    const rows = trail.map(({ at, action, keyId, actor, scopes, changes }) => {
      return [at, action + (scopes ? ` for ${scopes}` : '') + (changes ? `: ${changes}` : ''), keyId, actor];
    });
    const text = rows.length === 0 ? 'The audit log is empty.' : table(['WHEN', 'WHAT', 'KEY', 'BY'], rows);
    print(options, trail, text);
  });

  async function create(options: CreateOptions, invoked: Command): Promise<void> {
    const { name, owner, plan, scope: scopes } = options;
    const quota = customQuota(options, invoked);
    const actor = operatorName();
    const wanted = { name, owner, plan, quota, now: new Date(), actor, ...(scopes && { scopes }) };
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
        { id, key, name, owner, plan, perMinute, perDay, ...(scopes && { scopes }) },
        `${key}\n\n${id} for ${name}, ${plan === NO_PLAN ? 'without limits' : limits}.\n` +
          (owner === undefined ? '' : `Owner: ${owner}.\n`) +
          (scopes ? `Scopes: ${scopes.join(' ')}.\n` : '') +
          'Keep the key now: it is stored as a digest only and cannot be shown again.',
      );
  }

  async function changeSettings(id: string, options: ChangeOptions, invoked: Command): Promise<void> {
    await withStore(async ({ keys }) => {
      const record = (await keys.list()).find((item) => item.id === id);
      if (!record) throw noSuchKey(id);
      if (record.revokedAt !== undefined)
        throw new OperatorError(`${id} is revoked for good: create another key for its owner`);
      const after = settingsAfter(record, options, invoked);
      const changes = changesBetween(record, after);
      if (changes === '')
        throw new OperatorError(
          `nothing to change: ${id} has these settings; see \`${command} keys change --help\``,
        );
      const event = {
        action: 'changed',
        keyId: id,
        actor: operatorName(),
        at: new Date().toISOString(),
      } as const;
      if (!(await keys.change(id, record, after, { ...event, changes })))
        throw new OperatorError(`${id} was changed or revoked at the same time: look at it, then try again`);
      const { perMinute, perDay } = after.quota;
      const { name, owner, plan, scopes } = after;
      const value = { id, name, owner, plan, perMinute, perDay, ...(scopes && { scopes }) };
      print(options, value, `${id}: ${changes}. All instances follow within 5 seconds.`);
    });
  }

  /** The settings of a key with these options. What is left out stays. */
  function settingsAfter(before: KeySettings, options: ChangeOptions, invoked: Command): KeySettings {
    const { name = before.name, owner = before.owner, plan = before.plan, perMinute, perDay } = options;
    const { scope = before.scopes } = options;
    return {
      name,
      ...(owner !== undefined && { owner }),
      plan,
      // A plan that is given again brings the quotas that the contract has for it now.
      quota: (options.plan ?? perMinute ?? perDay) === undefined ? before.quota : newQuota(),
      ...(Array.isArray(scope) && { scopes: [...new Set(scope)] }),
    };

    function newQuota(): Quota {
      if (!Object.hasOwn(plans, plan)) {
        const why =
          plan === NO_PLAN ? 'the key has no plan yet' : `the contract has no plan ${plan} any more`;
        invoked.error(`error: ${why}; give --plan`);
      }
      const own: Partial<Quota> = plan === before.plan && !plans[plan]?.quota ? before.quota : {};
      const wanted = { plan, perMinute: perMinute ?? own.perMinute, perDay: perDay ?? own.perDay };
      return customQuota(wanted, invoked) ?? (plans[plan]?.quota as Quota);
    }
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

  function customQuota({ plan, perMinute, perDay }: WantedQuota, invoked: Command): Quota | undefined {
    const hasQuota = perMinute !== undefined || perDay !== undefined;
    if (plans[plan]?.quota) {
      if (hasQuota)
        invoked.error(
          `error: the quotas of the plan ${plan} are fixed; leave --per-minute and --per-day out`,
        );
      return undefined;
    }
    if (planNames.length === 0) return undefined;
    if (perMinute === undefined || perDay === undefined) {
      invoked.error(`error: the plan ${plan} needs quotas; give both --per-minute and --per-day`);
    }
    return { perMinute, perDay };
  }
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
