import type { ServiceNames } from '@kit/contract';
import { clientNames } from '@kit/contract/client-names';
import { readSound } from '@kit/tools/check-contract';
import { emitClient } from '@kit/tools/client-sources';
import { completed } from '@kit/tools/complete';
import { checkIgnored } from '@kit/tools/check-support';
import { ContractError, lineOf, type SourceDocument } from '@kit/tools/source-document';
import { emit, type Outputs } from '@kit/tools/emit';
import { isOpen } from '@kit/contract/model';
import { operationsOf } from '@kit/tools/operations';

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
const HANDLERS = `import type { Handlers } from '@kit/server';
import type { Operations } from './operations.ts';
type Statuses = { [Id in keyof Operations]: Awaited<ReturnType<Handlers<Operations>[Id]>>['status'] };
export type Status = Statuses[keyof Statuses];
`;

/** The generated files of a contract and of its client, for one folder: they import each other by file. */
export async function sourcesOf(contract: SourceDocument, names: ServiceNames): Promise<Outputs> {
  const generated = await emit(contract, names);
  const client = clientNames(names.name).package;
  const contractPackage = client.replace('/client', '/contract');
  const sources = {
    ...generated,
    'contract.ts': CONTRACT,
    'handlers.ts': HANDLERS,
    ...emitClient(completed(contract), names),
  };
  const inFolder = (code: string) =>
    code
      .replaceAll(`'${contractPackage}/schema'`, `'./schema.ts'`)
      .replaceAll(`'${contractPackage}'`, `'./contract.ts'`)
      .replaceAll(`'${client}'`, `'./index.ts'`);
  return Object.fromEntries(Object.entries(sources).map(([file, code]) => [file, inFolder(code)]));
}

/** What `npm run contract:check` prints for the contract in `file`; a quick one has no compiler and no server. */
export async function checkFile(file: string, isQuick = false): Promise<{ works: boolean; lines: string[] }> {
  const refused = (lines: string[]) => ({ works: false, lines });
  try {
    const contract = await readSound(file);
    const outputs = await sourcesOf(contract, NAMES);
    const wrong = isQuick ? [] : await tryOut(file, contract, outputs);
    if (wrong.length > 0) return refused(wrong);
    const note = operationsOf(contract).every(isOpen) ? ' (open to everyone: it has no security)' : '';
    const remarks = checkIgnored(contract).map((remark) => lineOf(remark, file));
    return { works: true, lines: [`${file}: works${note}`, ...new Set(remarks)] };
  } catch (error) {
    if (error instanceof ContractError)
      return refused(error.problems.map((problem) => lineOf(problem, file)));
    const message = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
    return refused([`${file}:1:1: cannot generate code from it: ${message}`]);
  }
}

/** Serves the contract while the compiler, another process, is at work. */
async function tryOut(file: string, contract: SourceDocument, outputs: Outputs): Promise<string[]> {
  // Loading these takes a second.
  const [{ compile }, { serveFile }] = await Promise.all([import('./compile.ts'), import('./serve.ts')]);
  const [mistake, wrong] = await Promise.all([compile(outputs), serveFile(file, contract, NAMES)]);
  return mistake === undefined ? wrong : [`${file}:1:1: its types do not compile: ${mistake}`];
}
