import type { Command } from 'commander';
import { addPrintingCommand, print, table, type Output } from './output.ts';
import type { WithStore } from '../feature.ts';
import type { Store } from '../store/store.ts';

export function addAuditCommand(program: Command, withStore: WithStore<Store>): void {
  addPrintingCommand(program, 'audit', 'show the audit log of API keys').action(async (options: Output) => {
    const trail = await withStore((store) => store.keys.listAudit());
    const rows = trail.map(({ at, action, keyId, actor, scopes }) => {
      return [at, scopes === undefined ? action : `${action} for ${scopes}`, keyId, actor];
    });
    print(
      options,
      trail,
      rows.length === 0 ? 'The audit log is empty.' : table(['WHEN', 'WHAT', 'KEY', 'BY'], rows),
    );
  });
}
