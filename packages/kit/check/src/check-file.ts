import { checkContract } from '@kit/tools/check-contract';
import { ContractError, lineOf, readContract } from '@kit/tools/source-document';
import { emit, type Outputs } from '@kit/tools/emit';
import { isOpen, operationsOf } from '@kit/tools/operations';

/** The names for a contract without a project. */
export const NAMES = { name: 'service', keyPrefix: 'key_', databaseFile: 'store.db' };

/** The result for a file: its refusals, one per line, or its generated code and a note. */
export type Verdict =
  | { readonly refusals: readonly string[] }
  | { readonly refusals: readonly []; readonly outputs: Outputs; readonly note: string };

/** Reads and checks the contract in `file`, and generates from it. Writes nothing. */
export async function checkFile(file: string): Promise<Verdict> {
  try {
    const contract = await readContract(file);
    const problems = checkContract(contract);
    if (problems.length > 0) return { refusals: problems.map((each) => lineOf(each, file)) };
    const outputs = await emit(contract, NAMES);
    const operations = operationsOf(contract);
    const open = operations.filter(isOpen).length;
    const note = open === operations.length ? ' (open to everyone: it has no security)' : '';
    return { refusals: [], outputs, note };
  } catch (error) {
    if (error instanceof ContractError) return { refusals: error.problems.map((each) => lineOf(each, file)) };
    const message = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
    return { refusals: [`${file}:1:1: cannot generate code from it: ${message}`] };
  }
}
