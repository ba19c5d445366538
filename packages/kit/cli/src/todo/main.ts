import { runCommand, type Terminal } from '../command.ts';
import { contractFile } from '../workspace.ts';
import { readContract } from '@contract-kit/core/source-document';
import { operationsOf } from '@contract-kit/core/operations';
import { placesOfNotYet } from './not-yet.ts';

const USAGE = `Usage: contract-kit todo

Prints each operation whose handler is \`notYet\`, with its file and line.`;

export const main = (terminal: Terminal) =>
  runCommand(
    USAGE,
    {},
    async () => {
      const operations = operationsOf(await readContract(contractFile));
      const places = await placesOfNotYet();
      const lines = places.map(({ file, line, operationId }) => {
        const operation = operations.find(({ id }) => id === operationId);
        return `${file}:${line}  ${operationId}  ${operation?.method} ${operation?.path}`;
      });
      const left = operations.length - places.length;
      console.log([...lines, `${left} of ${operations.length} operations are implemented.`].join('\n'));
      return 0;
    },
    terminal,
  );
