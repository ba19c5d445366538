import { parseArgs } from 'node:util';
import { runCommand } from '../command.ts';
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

runCommand(USAGE, main);
