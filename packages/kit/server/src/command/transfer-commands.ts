import type { Command } from 'commander';
import { addPrintingCommand, print, type Output } from './output.ts';
import { confirm, confirming, type Confirmed } from './confirm.ts';
import { withProgress } from './progress.ts';
import { readConfig } from '../config.ts';
import { OperatorError, ConfigError } from '../operator-error.ts';
import type { ServiceDefinition } from '../feature.ts';
import type { RowCounts } from '../store/transfer/store-file.ts';

export function addTransferCommands(program: Command, service: ServiceDefinition): void {
  const { name: command } = service.contract;
  addPrintingCommand(
    program,
    'migrate-data',
    'move all of an embedded store into the empty PostgreSQL store at DATABASE_URL, or nothing',
  )
    .requiredOption('--from <folder>', 'the DATA_DIR of the embedded store; stop its server first')
    .action(async ({ from, ...options }: Output & { from: string }) => {
      const { databaseUrl } = readConfig();
      if (databaseUrl === undefined) {
        throw new OperatorError(
          'set DATABASE_URL to the target, such as postgresql://user:password@host:5432/database',
        );
      }
      const { migrateData } = await import('../store/transfer/migrate-data.ts');
      const moved = await withProgress(
        { ...options, program: command },
        () => 'either nothing or everything was moved',
        (progress) => migrateData({ service, from, databaseUrl, progress }),
      );
      print(
        options,
        { moved },
        `Moved ${listOf(moved)}. ${from} is unchanged.\n` + 'Serve them with DATABASE_URL and REDIS_URL set.',
      );
    });

  addPrintingCommand(program, 'backup', 'copy the embedded store into a file, also while the service runs')
    .argument('<file>', 'file to write; its checksum goes to FILE.sha256')
    .option('--force', 'replace an existing file')
    .action(async (file: string, { force = false, ...options }: Output & { force?: boolean }) => {
      const dataDir = embeddedDataDir('pg_dump, as docs/operating.md says,');
      refuseStream(file, `${command} backup`);
      const { backUp } = await import('../store/transfer/backup.ts');
      const contains = await withProgress(
        { ...options, program: command },
        () => 'no backup was made',
        (progress) => backUp({ service, dataDir, file, force, progress }),
      );
      print(
        options,
        { file, contains },
        `${file} has ${listOf(contains)}. Restore it with \`${command} restore\`.`,
      );
    });

  confirming(
    addPrintingCommand(
      program,
      'restore',
      'replace everything in the embedded store by a backup; stop the service first',
    ),
  )
    .argument('<file>', `a file that \`${command} backup\` made`)
    .action(async (file: string, options: Output & Confirmed) => {
      const dataDir = embeddedDataDir(
        'pg_restore --clean --if-exists --single-transaction, as docs/operating.md says,',
      );
      refuseStream(file, `${command} restore`);
      const { restore } = await import('../store/transfer/restore.ts');
      await confirm(options, `Replace everything in ${dataDir} by ${file}?`);
      const outcome = () => 'the store is either unchanged or has all of the backup';
      const restored = await withProgress({ ...options, program: command }, outcome, (progress) => {
        const onWarning = (warning: string) =>
          progress.interrupt(() => console.error(`${command}: ${warning}`));
        return restore({ service, dataDir, file, progress, onWarning });
      });
      print(options, { restored }, `Restored ${listOf(restored)}.`);
    });
}

/** Standard input and output have no FILE.sha256. */
function refuseStream(file: string, command: string): void {
  if (file !== '-') return;
  throw new ConfigError(
    `\`${command} -\` cannot keep a checksum: name a file, as in \`${command} FILE\`, and copy it together with FILE.sha256`,
  );
}

/** The folder of the embedded store. Throws an OperatorError that names `instead` if the store is in PostgreSQL. */
function embeddedDataDir(instead: string): string {
  const { databaseUrl, dataDir } = readConfig();
  if (databaseUrl === undefined) return dataDir;
  throw new OperatorError(`the store at DATABASE_URL is in PostgreSQL: use ${instead} instead`);
}

/** Such as "4 rows (loans 3, books 1)". */
function listOf(counts: RowCounts): string {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const parts = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  return `${total} row${total === 1 ? '' : 's'} (${parts.join(', ')})`;
}
