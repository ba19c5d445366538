import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { OperatorError } from '../operator-error.ts';

/** The folders of a service's migrations. Each has `sqlite/` and `postgres/`. */
export interface MigrationFolders {
  /** From before features had migrations. They replace the kit's with the same numbers. */
  readonly past?: string | undefined;
  readonly features: Readonly<Record<string, string>>;
}

type Engine = 'sqlite' | 'postgres';

/** Migrations that follow each other, numbered in their files' names. */
export interface Sequence {
  readonly latest: number;
  /** Those after `version`, in order. Throws an OperatorError about `what` if it is newer than the latest. */
  readonly after: (version: number, what: string) => string[];
}

/** The service's past migrations, then the kit's. */
export function kitMigrations(engine: Engine, { past }: MigrationFolders): Sequence {
  const files = past === undefined ? [] : filesIn(path.join(past, engine));
  const latest = files.at(-1)?.number ?? 0;
  const own = filesIn(path.join(import.meta.dirname, engine, 'migrations'));
  return sequenceOf([...files, ...own.filter(({ number }) => number > latest)]);
}

export function featureMigrations(engine: Engine, { features }: MigrationFolders): [string, Sequence][] {
  return Object.entries(features).flatMap(([name, folder]) => {
    const files = filesIn(path.join(folder, engine));
    return files.length === 0 ? [] : [[name, sequenceOf(files)]];
  });
}

interface MigrationFile {
  readonly number: number;
  readonly file: string;
}

function filesIn(folder: string): MigrationFile[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return names.sort().map((name) => ({ number: Number.parseInt(name, 10), file: path.join(folder, name) }));
}

function sequenceOf(files: readonly MigrationFile[]): Sequence {
  const latest = files.at(-1)?.number ?? 0;
  return {
    latest,
    after(version, what) {
      if (version > latest)
        throw new OperatorError(
          `${what} is newer than this program (schema ${version}, known up to ${latest}): ` +
            'run the newer program, or roll back to an older backup, as docs/operating.md says',
        );
      return files.filter(({ number }) => number > version).map(({ file }) => readFileSync(file, 'utf8'));
    },
  };
}
