import { parseArgs } from 'node:util';
import { ContractError } from '../contract.ts';
import { contractFile } from '../workspace.ts';
import { lintContract } from './lint-contract.ts';

const USAGE = `Usage: npm run contract:lint

Holds openapi.yaml against the rules of the house, as \`npm run generate\` does, and Redocly's recommended ones, and prints
every mistake with its line and column. Exits 1 if there is one.`;

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { help: { type: 'boolean' } } });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const problems = await lintContract(contractFile);
  if (problems.length > 0) throw new ContractError(problems);
  console.log('openapi.yaml keeps to every rule.');
  return 0;
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    const usage =
      error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
    if (usage) console.error(`${error.message}\n\n${USAGE}`);
    else console.error(error instanceof ContractError ? error.message : error);
    process.exitCode = usage ? 2 : 1;
  },
);
