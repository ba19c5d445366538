import type { Contract } from '@contract-kit/core';
import type { Command } from 'commander';
import { operatorName } from '../config.ts';
import type { ServiceDefinition } from '../feature.ts';
import type { AuditEvent } from '../keys/key-store.ts';
import type { Store } from '../store/store.ts';
import { addChangeKeyCommand } from './change-key-command.ts';
import { confirm, confirming, type Confirmed } from './confirm.ts';
import { addCreateKeyCommand } from './create-key-command.ts';
import { keyIdArgument, noSuchKey } from './key-options.ts';
import { addPrintingCommand, print, table, type Output } from './output.ts';
import { addListKeysCommand, addShowKeyCommand } from './show-key-commands.ts';
import type { OpenStore } from './with-store.ts';

export function addKeyCommands(
  program: Command,
  { contract }: ServiceDefinition,
  withStore: OpenStore,
): void {
  const keys = program.command('keys').description('create, list, show, change and revoke API keys');
  addCreateKeyCommand(keys, contract, withStore);
  addChangeKeyCommand(keys, contract, withStore);
  addListKeysCommand(keys, contract, withStore);
  addShowKeyCommand(keys, contract, withStore);
  addRevokeKeyCommand(keys, contract, withStore);
  addUnbanKeyCommand(keys, contract, withStore);
  addAuditCommand(program, withStore);
}

function addRevokeKeyCommand(keys: Command, contract: Contract, withStore: OpenStore): void {
  confirming(addPrintingCommand(keys, 'revoke', 'revoke a key for good, within 5 seconds'))
    .addArgument(keyIdArgument(contract))
    .action(async (id: string, options: Output & Confirmed) => {
      await confirm(options, `Revoke ${id} for good?`);
      await withStore(async (store) => {
        if (!(await store.keys.revoke(id, new Date()))) throw noSuchKey(contract, id);
        // Not by whether this call revoked it: an earlier one may have failed before it recorded that.
        const isRecorded = (event: AuditEvent) => event.keyId === id && event.action === 'revoked';
        if (!(await store.keys.listAudit()).some(isRecorded)) await record(store, 'revoked', id);
      });
      print(options, { id, revoked: true }, `${id} is revoked. It stops working within 5 seconds.`);
    });
}

function addUnbanKeyCommand(keys: Command, contract: Contract, withStore: OpenStore): void {
  addPrintingCommand(keys, 'unban', 'lift the ban of a key, within 5 seconds')
    .addArgument(keyIdArgument(contract))
    .action(async (id: string, options: Output) => {
      await withStore(async (store) => {
        if (!(await store.keys.unban(id))) throw noSuchKey(contract, id);
        await record(store, 'unbanned', id);
      });
      print(options, { id, banned: false }, `The ban of ${id} ends within 5 seconds.`);
    });
}

async function record({ keys }: Store, action: AuditEvent['action'], keyId: string): Promise<void> {
  await keys.recordAudit({ action, keyId, actor: operatorName(), at: new Date().toISOString() });
}

function addAuditCommand(program: Command, withStore: OpenStore): void {
  addPrintingCommand(program, 'audit', 'show the audit log of API keys').action(async (options: Output) => {
    const trail = await withStore((store) => store.keys.listAudit());
    const rows = trail.map(({ at, action, keyId, actor, scopes, changes }) => {
      return [at, action + (scopes ? ` for ${scopes}` : '') + (changes ? `: ${changes}` : ''), keyId, actor];
    });
    const text = rows.length === 0 ? 'The audit log is empty.' : table(['WHEN', 'WHAT', 'KEY', 'BY'], rows);
    print(options, trail, text);
  });
}
