import { runCommand, UsageError, type Terminal } from '../command.ts';
import { root } from '../workspace.ts';
import { adopt } from './adopt.ts';

const USAGE = `Usage: contract-kit adopt FILE --name NAME [--root DIR] [--force]

Turns this repository into the service of the OpenAPI contract in FILE. It writes everything or nothing.

  --name NAME   what the service is called: lower-case letters, digits and hyphens, starting with a letter
  --root DIR    allow references to files at or below this folder, which has the contract too
  --force       continue although the working tree has changes
  --help        print this`;

const options = { name: { type: 'string' }, root: { type: 'string' }, force: { type: 'boolean' } } as const;

export const main = (terminal: Terminal) =>
  runCommand(
    USAGE,
    options,
    async ({ name, root: filesIn, force = false }, file) => {
      if (file === undefined || name === undefined) throw new UsageError('FILE and --name are needed');
      console.log(await adopt({ file, name, filesIn, force, root, say: console.log }));
      return 0;
    },
    terminal,
    1,
  );
