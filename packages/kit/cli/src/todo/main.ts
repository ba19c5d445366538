import { runCommand, type Terminal } from '../command.ts';
import { contractFile } from '../workspace.ts';
import { readContract } from '@contract-kit/core/openapi';
import { keysInSources } from './keys-in-sources.ts';

const USAGE = `Usage: contract-kit todo

Prints each operation whose handler is \`notYet\`, with its file and line, and each one without any handler.`;

export const main = (terminal: Terminal) =>
  runCommand(
    USAGE,
    {},
    async () => {
      const { operations } = (await readContract(contractFile)).model;
      const keys = await keysInSources();
      const lines = operations.flatMap(({ id, method, path }) => {
        const handlers = keys.filter(({ name }) => name === id);
        const [place] = handlers.filter(({ isNotYet }) => isNotYet);
        if (place) return [`${place.file}:${place.line}  ${id}  ${method} ${path}`];
        return handlers.length > 0 ? [] : [`${id}  ${method} ${path}  has no handler: add it to a feature`];
      });
      const done = operations.length - lines.length;
      console.log([...lines, `${done} of ${operations.length} operations are implemented.`].join('\n'));
      return 0;
    },
    terminal,
  );
