import { ContractError } from './contract.ts';

/** Runs a command of the contract's tools and sets its exit code: what `main` resolves to, 1 failed, 2 called wrongly. */
export function runCommand(usage: string, main: () => Promise<number>): void {
  main().then(
    (code) => (process.exitCode = code),
    (error: unknown) => {
      const isUsage =
        error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
      if (isUsage) console.error(`${error.message}\n\n${usage}`);
      else console.error(error instanceof ContractError ? error.message : error);
      process.exitCode = isUsage ? 2 : 1;
    },
  );
}
