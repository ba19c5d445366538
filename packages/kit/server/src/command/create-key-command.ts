import type { Contract } from '@contract-kit/core';
import type { Command } from 'commander';
import { operatorName } from '../config.ts';
import { createKey, NO_PLAN } from '../keys/create-key.ts';
import { asOperatorError } from '../operator-error.ts';
import {
  customQuota,
  hasPlans,
  hasScopes,
  oneLine,
  planOption,
  scopeOption,
  withOwner,
  withQuotas,
  type WantedQuota,
} from './key-options.ts';
import { addPrintingCommand, print, type Output } from './output.ts';
import type { OpenStore } from './with-store.ts';

interface CreateOptions extends Output, WantedQuota {
  name: string;
  owner?: string;
  quiet?: boolean;
  scope?: string[];
}

export function addCreateKeyCommand(keys: Command, contract: Contract, withStore: OpenStore): void {
  const plan = planOption(contract).makeOptionMandatory();
  // Without plans nothing is counted, so there is no choice.
  if (!hasPlans(contract)) plan.default(NO_PLAN).hideHelp();
  const creating = addPrintingCommand(keys, 'create', 'create a key and print it once').addOption(plan);
  if (hasScopes(contract)) creating.addOption(scopeOption(contract, 'what the key may be used for'));
  creating.requiredOption('--name <name>', 'what people call the key', oneLine);
  if (hasPlans(contract)) withQuotas(creating);
  withOwner(creating)
    .option('--quiet', 'print only the key')
    .action(async (options: CreateOptions, invoked: Command) => {
      const { name, owner, plan, scope: scopes } = options;
      const quota = customQuota(contract, options, invoked);
      const actor = operatorName();
      const wanted = { name, owner, plan, quota, now: new Date(), actor, ...(scopes && { scopes }) };
      const created = await withStore((store) => createKey(store.keys, contract, wanted), {
        mayCreate: true,
      }).catch((error: unknown) => {
        throw asOperatorError('cannot create the key', error);
      });
      printCreated(options, created);
    });
}

function printCreated(
  options: CreateOptions,
  { id, key, quota }: Awaited<ReturnType<typeof createKey>>,
): void {
  if (options.quiet) {
    console.log(key);
    return;
  }
  const { name, owner, plan, scope: scopes } = options;
  const { perMinute, perDay } = quota;
  const limits = `plan ${plan}: ${perMinute} requests per minute, ${perDay} per day`;
  print(
    options,
    { id, key, name, owner, plan, perMinute, perDay, ...(scopes && { scopes }) },
    `${key}\n\n${id} for ${name}, ${plan === NO_PLAN ? 'without limits' : limits}.\n` +
      (owner === undefined ? '' : `Owner: ${owner}.\n`) +
      (scopes ? `Scopes: ${scopes.join(' ')}.\n` : '') +
      'Keep the key now: it is stored as a digest only and cannot be shown again.',
  );
}
