import type { Contract } from '@contract-kit/core';
import type { Quota } from '@contract-kit/core/limits';
import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import { NO_PLAN } from '../keys/create-key.ts';
import { OperatorError } from '../operator-error.ts';
import { wholeNumberArgument } from './arguments.ts';

export interface WantedQuota {
  plan: string;
  perMinute?: number | undefined;
  perDay?: number | undefined;
}

const MAX_NAME = 200;
const quotaNumber = wholeNumberArgument(1, 1_000_000_000);

export const keyIdArgument = ({ name }: Contract) =>
  new Argument('<id>', `the id of the key, such as key_…; see \`${name} keys list\``);

export const noSuchKey = ({ name }: Contract, id: string) =>
  new OperatorError(`no key has the id ${id}: see \`${name} keys list\``);

export const hasPlans = ({ plans }: Contract) => Object.keys(plans).length > 0;

export const hasScopes = ({ scopes = [] }: Contract) => scopes.length > 0;

export const planOption = (contract: Contract) =>
  new Option('--plan <plan>', 'rate-limit plan').choices(
    hasPlans(contract) ? Object.keys(contract.plans) : [NO_PLAN],
  );

export const scopeOption = ({ scopes = [] }: Contract, description: string) =>
  new Option('--scope <scope...>', description).choices(scopes);

export const withQuotas = (command: Command) =>
  command
    .option('--per-minute <number>', 'requests per minute, for a plan with custom quotas', quotaNumber)
    .option('--per-day <number>', 'requests per day, for a plan with custom quotas', quotaNumber);

export const withOwner = (command: Command) =>
  command.option(
    '--owner <owner>',
    'whose the key is, such as a customer: all keys of one owner act for it',
    oneLine,
  );

/** The list has one line per name, which a line break would forge. */
export function oneLine(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  if (text.length > MAX_NAME || /[\p{Cc}\u2028\u2029]/u.test(text))
    throw new InvalidArgumentError(`It must be one line of at most ${MAX_NAME} characters.`);
  return text;
}

/** The quota of a key with a plan that has none itself. Ends the command if the options do not fit the plan. */
export function customQuota(
  contract: Contract,
  { plan, perMinute, perDay }: WantedQuota,
  invoked: Command,
): Quota | undefined {
  const hasQuota = perMinute !== undefined || perDay !== undefined;
  if (contract.plans[plan]?.quota) {
    if (hasQuota)
      invoked.error(`error: the quotas of the plan ${plan} are fixed; leave --per-minute and --per-day out`);
    return undefined;
  }
  if (!hasPlans(contract)) return undefined;
  if (perMinute === undefined || perDay === undefined) {
    invoked.error(`error: the plan ${plan} needs quotas; give both --per-minute and --per-day`);
  }
  return { perMinute, perDay };
}
