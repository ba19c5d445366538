import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { filesIn, giveToOwner } from '../../data-dir.ts';
import { sqliteCodeOf, type SqliteDatabase } from '../../database/sqlite/driver.ts';
import { refuseLeftLog } from '../../database/sqlite/left-log.ts';
import { migrate } from '../../database/sqlite/migrate.ts';
import { asOperatorError, OperatorError } from '../../operator-error.ts';
import { declaredJobs, declaredTopics, type ServiceDefinition } from '../../feature.ts';
import { migrationsOf } from '../open-features.ts';
import { FORGET_PLACE } from '../../feed/topics.ts';
import { HOLD_JOBS } from '../../jobs/place.ts';
import { lockDataDir } from '../data-dir-lock.ts';
import { checksumFileOf, copyDatabase, refuseKitFile, sha256Of, sync } from './backup.ts';
import { AUDIT_COLUMNS, countRows, openStoreFile, type Progress, type RowCounts } from './store-file.ts';

const OUTCOME = 'the store is unchanged';

export interface RestoreOptions {
  readonly service: ServiceDefinition;
  readonly dataDir: string;
  readonly file: string;
  readonly progress: Progress;
  /** Called with a warning if the backup has no checksum. */
  readonly onWarning: (warning: string) => void;
}

/**
 * Replaces all of the store, which no server may be serving, by a backup. Revoked keys stay revoked, and no id is issued
 * twice. Resolves to the rows restored, by table. Throws an OperatorError, and then the store is unchanged.
 */
export async function restore(options: RestoreOptions): Promise<RowCounts> {
  const { service, dataDir, file } = options;
  refuseKitFile(service, dataDir, file);
  if (!existsSync(file))
    throw new OperatorError(`cannot restore ${file}: the file does not exist; ${OUTCOME}`);
  const unlock = lockDataDir(
    dataDir,
    service.contract.databaseFile,
    `stop it, restore, and start it again; ${OUTCOME}.`,
  );
  // A copy, so that an old schema can be upgraded and the file stays unchanged.
  const { store, restored } = filesIn(dataDir, service.contract.databaseFile);
  try {
    refuseLeftLog(store);
    mkdirSync(restored);
    const copy = path.join(restored, 'copy');
    const counts = await copyChecked(options, copy);
    giveToOwner(copy, dataDir);
    replaceStore(service, store, copy);
    return counts;
  } catch (error) {
    throw asOperatorError(`cannot restore ${file}`, error, OUTCOME);
  } finally {
    rmSync(restored, { recursive: true, force: true });
    unlock();
  }
}

/** Copies the backup, checks it, and upgrades its schema. Resolves to its rows. */
async function copyChecked(options: RestoreOptions, copy: string): Promise<RowCounts> {
  const { service, file, progress, onWarning } = options;
  let copied: SqliteDatabase | undefined;
  try {
    const hasChecksum = await matchesChecksum(file);
    const backup = openStoreFile(service, file, { readonly: true });
    try {
      progress.start(Number(backup.pragma('page_count')));
      await copyDatabase(backup, copy, (done) => progress.update(done));
    } finally {
      backup.close();
    }
    copied = openStoreFile(service, copy);
    const finding = copied.pragma('integrity_check(1)');
    if (finding !== 'ok') throw damaged(file, finding);
    migrate(copied, migrationsOf(service));
    if (Object.keys(declaredTopics(service)).length > 0) copied.exec(FORGET_PLACE);
    if (declaredJobs(service).size > 0) copied.exec(HOLD_JOBS);
    if (!hasChecksum)
      onWarning(
        `${file} has no ${path.basename(checksumFileOf(file))}: only damage that breaks the schema can be found`,
      );
    return countRows(service, copied);
  } catch (error) {
    const { cause = error } = error as { cause?: unknown };
    throw /^SQLITE_(?:CORRUPT|NOTADB)/.test(sqliteCodeOf(cause) ?? '') ? damaged(file, cause) : error;
  } finally {
    copied?.close();
  }
}

/** Whether the backup has a checksum. Throws an OperatorError if it does not match. */
async function matchesChecksum(file: string): Promise<boolean> {
  const checksumFile = checksumFileOf(file);
  if (!existsSync(checksumFile)) return false;
  const [expected] = readFileSync(checksumFile, 'utf8').split(/\s/, 1);
  if (expected !== (await sha256Of(file))) throw damaged(file, `it does not match ${checksumFile}`);
  return true;
}

function damaged(file: string, reason: unknown): OperatorError {
  const why = (reason instanceof Error ? reason.message : String(reason)).replaceAll('\n', ' ');
  return new OperatorError(
    `cannot restore ${file}: it is damaged or incomplete (${why}). Restore another backup; ${OUTCOME}`,
    { cause: reason },
  );
}

/** Replaces the store by `copy`, and keeps what must not be undone. */
function replaceStore(service: ServiceDefinition, store: string, copy: string): void {
  if (existsSync(store)) {
    const replaced = openStoreFile(service, store);
    try {
      migrate(replaced, migrationsOf(service));
      // A leftover write-ahead log would apply to the restored file. This fails while a command uses the store.
      replaced.pragma('journal_mode = DELETE');
      // No other command can write to it now.
      replaced.exec('BEGIN IMMEDIATE');
      keepWhatMustStay(service, store, copy);
      renameSync(copy, store);
    } finally {
      replaced.close();
    }
  } else renameSync(copy, store);
  sync(path.dirname(store));
}

/** Keeps revocations, lifted bans, issued ids and the audit log of `store`. */
function keepWhatMustStay(service: ServiceDefinition, store: string, copy: string): void {
  const restored = openStoreFile(service, copy);
  const audit = AUDIT_COLUMNS.join(', ');
  try {
    restored.prepare('ATTACH $1 AS replaced').run([store]);
    // Ban epochs tell a lifted ban from a new one, so they never decrease.
    restored.exec(`BEGIN;
      UPDATE main.api_keys
      SET revoked_at = coalesce(api_keys.revoked_at, old.revoked_at), unbans = max(api_keys.unbans, old.unbans)
      FROM replaced.api_keys AS old WHERE old.id = api_keys.id;
      INSERT INTO main.audit (${audit})
      SELECT ${audit} FROM replaced.audit EXCEPT SELECT ${audit} FROM main.audit ORDER BY at;
      UPDATE main.sqlite_sequence SET seq = max(sqlite_sequence.seq, old.seq)
      FROM replaced.sqlite_sequence AS old WHERE old.name = sqlite_sequence.name;
      INSERT INTO main.sqlite_sequence (name, seq)
      SELECT name, seq FROM replaced.sqlite_sequence WHERE name NOT IN (SELECT name FROM main.sqlite_sequence);
      COMMIT`);
  } finally {
    restored.close();
  }
}
