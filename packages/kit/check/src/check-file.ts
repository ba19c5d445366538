import type { ServiceNames } from '@kit/contract';
import { clientNames } from '@kit/contract/client-names';
import { readSound } from '@kit/tools/check-contract';
import { emitClient } from '@kit/tools/client-sources';
import { completed } from '@kit/tools/complete';
import { ContractError, lineOf, type SourceDocument } from '@kit/tools/source-document';
import { emit, type Outputs } from '@kit/tools/emit';
import { isOpen, operationsOf } from '@kit/tools/operations';

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

/** A contract without refusals. */
export interface Accepted {
  readonly contract: SourceDocument;
  readonly outputs: Outputs;
  readonly note: string;
}

/** The result for a file: its refusals, one per line, or its generated code and a note. */
export type Verdict = { readonly refusals: readonly string[] } | Accepted;

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

/** Reads and checks the contract in `file`, and generates from it. Writes nothing. */
export async function checkFile(file: string): Promise<Verdict> {
  try {
    const contract = await readSound(file);
    const outputs = await sourcesOf(contract, NAMES);
    const operations = operationsOf(contract);
    const open = operations.filter(isOpen).length;
    const note = open === operations.length ? ' (open to everyone: it has no security)' : '';
    return { contract, outputs, note };
  } catch (error) {
    if (error instanceof ContractError)
      return { refusals: error.problems.map((problem) => lineOf(problem, file)) };
    const message = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
    return { refusals: [`${file}:1:1: cannot generate code from it: ${message}`] };
  }
}
