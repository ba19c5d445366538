import { tmpdir } from 'node:os';
import { clientNames } from '@contract-kit/core';
import { readSound, remarksOn } from '../rules/check-contract.ts';
import { emitClient } from '../generate/client-sources.ts';
import { ContractError, problemLines } from '@contract-kit/core/openapi';
import { emit, type Outputs } from '../generate/emit.ts';
import { isOpen } from '@contract-kit/core/model';
import { root as workspace } from '../workspace.ts';
import { NO_PROGRESS, type Progress } from '../progress.ts';
import { checkedOf, type Checked } from './checked.ts';

/** The names for a contract without a project. */
export const NAMES = { name: 'checked', keyPrefix: 'key_', databaseFile: 'store.db' };

/** The entry of a contract's package. */
const CONTRACT = `import type { components } from './schema.ts';
export { errorCodes, type ErrorCode } from './errors.ts';
export type { Operations } from './operations.ts';
export { plans } from './plans.ts';
export * from './values.ts';
export type { components };
`;

/** The types of every handler. A union of their responses would take quadratic time. */
const HANDLERS = `import type { Handlers } from '@contract-kit/server';
import type { Operations } from './operations.ts';
type Statuses = { [Id in keyof Operations]: Awaited<ReturnType<Handlers<Operations>[Id]>>['status'] };
export type Status = Statuses[keyof Statuses];
`;

/** The generated files of a contract and of its client, for one folder: they import each other by file. */
export async function sourcesOf({ published, value, errors }: Omit<Checked, 'written'>): Promise<Outputs> {
  const generated = await emit(published, value);
  const { package: client, contractPackage } = clientNames(value.name);
  const sources = {
    ...generated,
    'contract.ts': CONTRACT,
    'handlers.ts': HANDLERS,
    ...(errors && { 'error-body.ts': errors.source }),
    ...emitClient(published, value, errors?.errorBody),
  };
  const inFolder = (code: string) =>
    code
      .replaceAll(`'${contractPackage}/schema'`, `'./schema.ts'`)
      .replaceAll(`'${contractPackage}'`, `'./contract.ts'`)
      .replaceAll(`'${client}'`, `'./index.ts'`);
  return Object.fromEntries(Object.entries(sources).map(([file, code]) => [file, inFolder(code)]));
}

interface CheckOptions {
  /** Whether to leave out the compiler and the server. */
  readonly isQuick?: boolean;
  /** The folder of the files that the contract may refer to; its own by default. */
  readonly root?: string | undefined;
  readonly progress?: Progress;
}

/** What `npm run contract:check` prints for the contract in `file`. */
export async function checkFile(
  file: string,
  { isQuick = false, root, progress = NO_PROGRESS }: CheckOptions = {},
): Promise<{ works: boolean; lines: string[] }> {
  const rejected = (lines: string[]) => ({ works: false, lines });
  try {
    progress(`Reading ${file}`);
    const contract = await readSound(file, { root, name: file });
    progress('Making examples');
    const checked = checkedOf(contract, NAMES);
    progress('Generating code');
    const outputs = await sourcesOf(checked);
    const all = contract.model.operations;
    const remarks = remarksOn(contract);
    if (isQuick)
      return {
        works: true,
        lines: [`${file}: can be generated from; nothing was tried`, ...problemLines(remarks, file)],
      };
    const { mistake, wrong, untried } = await tryOut(checked, outputs, progress);
    const types = mistake === undefined ? [] : [`${file}: its types do not compile: ${mistake}`];
    if (types.length + wrong.length > 0) return rejected([...types, ...problemLines(wrong, file)]);
    const ids = [...untried.keys()];
    const but =
      ids.length > 0
        ? `, but ${ids.length} of ${all.length} operations ${ids.length === 1 ? 'was' : 'were'} not tried: ${listed(ids)}`
        : '';
    const note = all.every(isOpen) ? ' (open to everyone: no operation requires security)' : '';
    const lines = problemLines([...untried.values(), ...remarks], file);
    return { works: true, lines: [`${file}: works${note}${but}`, ...lines] };
  } catch (error) {
    if (error instanceof ContractError) return rejected(problemLines(error.problems, file));
    // Not at a place of the contract: it may be sound, and the installation broken.
    const message = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
    return rejected([`${file}: could not be checked: ${withoutFolders(message)}`]);
  }
}

/** `message` without the folders of this workspace and of the generated code, which mean nothing to an author. */
function withoutFolders(message: string): string {
  return message
    .replaceAll(`${workspace}/`, '')
    .replaceAll(`${tmpdir()}/`, '')
    .replaceAll(/contract-check-\w+\//g, '');
}

/** The most names in one line: each has a line with its reason too. */
const MAX_NAMES = 5;

function listed(ids: readonly string[]): string {
  const more = ids.length > MAX_NAMES ? [`${ids.length - MAX_NAMES} more`] : [];
  return [...ids.slice(0, MAX_NAMES), ...more].join(', ');
}

/** The most operations of a contract that is served while its code is compiled. */
const MOST_AT_ONCE = 300;

/** Serves the contract while the compiler, another process, is at work. */
async function tryOut(checked: Checked, outputs: Outputs, progress: Progress) {
  // Loading these takes a second.
  const [{ compileIn, inNewFolder }, { serveFile }] = await Promise.all([
    import('./compile.ts'),
    import('./serve.ts'),
  ]);
  return inNewFolder(outputs, async (folder) => {
    // The folder stays until both have ended.
    const compiling = Promise.allSettled([compileIn(folder)]);
    // Of a large contract, each of the two takes half a gigabyte.
    if (checked.published.model.operations.length > MOST_AT_ONCE) await compiling;
    const [served] = await Promise.allSettled([serveFile(checked, folder, progress)]);
    const [compiled] = await compiling;
    if (compiled.status === 'rejected') throw compiled.reason;
    if (served.status === 'fulfilled') return { mistake: compiled.value, ...served.value };
    // The code that does not compile may not run either.
    if (compiled.value === undefined) throw served.reason;
    return { mistake: compiled.value, wrong: [], untried: new Map() };
  });
}
