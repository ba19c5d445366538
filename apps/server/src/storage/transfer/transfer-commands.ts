import type { Command } from 'commander';
import { print } from '../../cli/output.ts';
import { createProgress } from '../../cli/progress.ts';
import { readConfig } from '../../config.ts';
import { SetupError } from '../../setup-error.ts';

export function addTransferCommands(program: Command): void {
  program
    .command('migrate-data')
    .description(
      'move an embedded store into the empty PostgreSQL store at DATABASE_URL, whole or not at all',
    )
    .requiredOption('--from <folder>', 'the DATA_DIR of the embedded store, which no server may be serving')
    .option('--json', 'print JSON')
    .action(async ({ from, ...options }: { from: string; json?: boolean }) => {
      const { databaseUrl } = readConfig();
      if (databaseUrl === undefined) {
        throw new SetupError(
          'set DATABASE_URL to where it shall go, such as postgresql://user:password@host:5432/database',
        );
      }
      const started = performance.now();
      const { migrateData } = await import('./migrate-data.ts');
      const moved = await migrateData({ from, databaseUrl, progress: createProgress() });
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      const rows = [...moved].map(([table, { count }]) => `${count} ${namesOf(table)}`);
      print(
        options,
        { moved: Object.fromEntries([...moved].map(([table, sums]) => [namesOf(table), sums])) },
        `Moved ${rows.join(', ')} in ${seconds} s, and read all of it back. ${from} is left as it was.\n` +
          'Serve them with DATABASE_URL and REDIS_URL set.',
      );
    });
}

function namesOf(table: string): string {
  return table === 'api_keys' ? 'keys' : table;
}
