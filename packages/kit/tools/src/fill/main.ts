import { readFile, writeFile } from 'node:fs/promises';
import { readSound } from '../check/check-contract.ts';
import { CommandError, runCommand } from '../command.ts';
import { contractFile } from '../workspace.ts';
import { fillContract } from './fill-contract.ts';

const USAGE = `Usage: npm run contract:fill

Writes into openapi.yaml what the server adds to it: the errors and the headers that it sends by itself. Comments and the
order stay. The published document is the same before and after; a second run changes nothing.`;

process.exitCode = await runCommand(USAGE, {}, async () => {
  const contract = await readSound(contractFile);
  if (contract.hasOtherFiles)
    throw new CommandError('The contract refers to other files. Run `npx @redocly/cli bundle` first.');
  const text = await readFile(contractFile, 'utf8');
  const filled = fillContract(contract, text);
  if (filled !== text) await writeFile(contractFile, filled);
  console.log(
    filled === text
      ? 'openapi.yaml has everything.'
      : 'Filled openapi.yaml. Format it with `npm run format`.',
  );
  return 0;
});
