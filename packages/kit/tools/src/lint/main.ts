import { runCommand } from '../command.ts';
import { houseRules } from '../check/check-contract.ts';
import { readService } from '../service.ts';
import { ContractError } from '../source-document.ts';
import { contractFile } from '../workspace.ts';
import { lintContract } from './lint-contract.ts';

const USAGE = `Usage: npm run contract:lint

Checks openapi.yaml against the house rules, as \`npm run generate\` does, and Redocly's recommended ones, and prints
every mistake with its line and column. Exits 1 if there is one.`;

process.exitCode = await runCommand(USAGE, {}, async () => {
  const problems = await lintContract(contractFile, (await readService(houseRules)).rules);
  if (problems.length > 0) throw new ContractError(problems);
  console.log('openapi.yaml follows every rule.');
  return 0;
});
