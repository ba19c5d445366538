import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readSound } from '../rules/check-contract.ts';
import { runCommand, type Terminal } from '../command.ts';
import { contractFile, root } from '../workspace.ts';
import { fillContract } from './fill-contract.ts';

const USAGE = `Usage: contract-kit fill

Writes into openapi.yaml, and into the files that it refers to, what the server adds: the errors and the headers that it
sends by itself. Comments and the order stay. The published document is the same before and after; a second run changes
nothing.`;

export const main = (terminal: Terminal) =>
  runCommand(
    USAGE,
    {},
    async () => {
      const filled = fillContract(await readSound(contractFile));
      const names = [...filled.keys()].map((name) => name || 'openapi.yaml');
      for (const [index, text] of [...filled.values()].entries())
        await writeFile(path.join(root, names[index] ?? ''), text);
      console.log(names.length === 0 ? 'openapi.yaml has everything.' : `Filled ${names.join(', ')}.`);
      return 0;
    },
    terminal,
  );
