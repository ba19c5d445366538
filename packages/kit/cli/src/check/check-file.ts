import { tmpdir } from 'node:os';
import { clientNames } from '@contract-kit/core';
import { checkContract, readNamed, remarksOn } from '../rules/check-contract.ts';
import { leaveOut, type Rest } from '../rules/leave-out.ts';
import { emitClient } from '../generate/client-sources.ts';
import { ContractError, problemLines, type SourceDocument } from '@contract-kit/core/openapi';
import { emit, type Outputs } from '../generate/emit.ts';
import { isOpen } from '@contract-kit/core/model';
import { root as workspace } from '../workspace.ts';
import { NO_PROGRESS, type Progress } from '../progress.ts';
import { checkedOf, type Checked } from './checked.ts';
import type { Outcome } from './serve.ts';

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

export interface ContractVerdict {
  readonly works: boolean;
  /** What `npm run contract:check` prints. */
  readonly lines: string[];
  /** The last of these lines, which say nothing that must be corrected. */
  readonly notes: string[];
  /** What works of a contract that does not as a whole, if any of its operations does. */
  readonly rest?: Rest;
}

const rejected = (lines: string[]): ContractVerdict => ({ works: false, lines, notes: [] });

/** Checks the contract in `file`. Operations with problems do not keep the others from being tried. */
export async function checkFile(
  file: string,
  { isQuick = false, root, progress = NO_PROGRESS }: CheckOptions = {},
): Promise<ContractVerdict> {
  try {
    progress(`Reading ${file}`);
    const written = await readNamed(file, { root, name: file });
    const problems = checkContract(written);
    const sound = problems.length > 0 ? leaveOut(written, problems)?.contract : written;
    if (!sound) throw new ContractError(problems);
    const { mistake, wrong, untried } = await tryContract(sound, isQuick, progress).catch(
      (error: unknown) => {
        // It may follow from the problems that are known.
        throw problems.length > 0 ? new ContractError(problems) : error;
      },
    );
    const notes = problemLines([...untried.values(), ...remarksOn(sound)], file, MOST_PLACES);
    const all = written.model.operations;
    if (mistake === undefined && problems.length + wrong.length === 0) {
      const note = all.every(isOpen) ? ' (open to everyone: no operation requires security)' : '';
      const works = isQuick
        ? 'can be generated from; nothing was tried'
        : `works${note}${untriedIn([...untried.keys()], all.length)}`;
      return { works: true, lines: [`${file}: ${works}`, ...notes], notes };
    }
    const lines = problemLines([...problems, ...wrong], file);
    if (mistake !== undefined) return rejected([`${file}: its types do not compile: ${mistake}`, ...lines]);
    const rest = leaveOut(written, [...problems, ...wrong]);
    if (!rest) return rejected(lines);
    const { length: left } = rest.contract.model.operations;
    const verb = isQuick ? 'can be generated from' : 'work';
    const works = `${file}: ${left} of ${all.length} operations ${verb}: correct what follows, or \`create --leave-out\` leaves the others out`;
    return { works: false, lines: [works, ...lines, ...notes], notes, rest };
  } catch (error) {
    if (error instanceof ContractError) return rejected(problemLines(error.problems, file));
    // Not at a place of the contract: it may be sound, and the installation broken.
    const message = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
    return rejected([`${file}: could not be checked: ${withoutFolders(message)}`]);
  }
}

/** The most places of a remark: each of a problem must be seen. */
const MOST_PLACES = 5;

/** Generates from a sound contract, compiles it and serves it. */
async function tryContract(contract: SourceDocument, isQuick: boolean, progress: Progress): Promise<Tried> {
  progress('Making examples');
  const checked = checkedOf(contract, NAMES);
  progress('Generating code');
  const outputs = await sourcesOf(checked);
  return isQuick ? { mistake: undefined, wrong: [], untried: new Map() } : tryOut(checked, outputs, progress);
}

interface Tried extends Outcome {
  /** The first mistake that the compiler finds. */
  readonly mistake: string | undefined;
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

/** What is said of the operations that were not tried, of `all`. */
function untriedIn(ids: readonly string[], all: number): string {
  if (ids.length === 0) return '';
  const more = ids.length > MAX_NAMES ? [`${ids.length - MAX_NAMES} more`] : [];
  const names = [...ids.slice(0, MAX_NAMES), ...more].join(', ');
  return `, but ${ids.length} of ${all} operations ${ids.length === 1 ? 'was' : 'were'} not tried: ${names}`;
}

/** The most operations of a contract that is served while its code is compiled. */
const MOST_AT_ONCE = 300;

/** Serves the contract while the compiler, another process, is at work. */
async function tryOut(checked: Checked, outputs: Outputs, progress: Progress): Promise<Tried> {
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
