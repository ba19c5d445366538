import { runCommand, UsageError, type Terminal } from '../command.ts';
import { create } from './create.ts';

const USAGE = `Usage: contract-kit create FOLDER --contract FILE [--name NAME] [--leave-out] [--no-install]

Makes the repository of a service from an OpenAPI contract: features to implement, a client, tools for agents, files for
operators and tests. It writes everything or nothing.

  --contract FILE   the contract: a file that \`contract-kit check\` accepts, alone or with the files that it refers to
  --name NAME       what the service is called: lower-case letters, digits and hyphens, starting with a letter; by
                    default the name of the folder
  --leave-out       leave out the operations that cannot be served, and name them
  --root DIR        allow references to files at or below this folder, which has the contract too
  --packages DIR    take the packages of the kit from this folder, in which they are packed; by default from the registry
  --no-install      do not install packages
  --help            print this`;

const options = {
  contract: { type: 'string' },
  name: { type: 'string' },
  root: { type: 'string' },
  packages: { type: 'string' },
  'leave-out': { type: 'boolean' },
  'no-install': { type: 'boolean' },
} as const;

export const main = (terminal: Terminal) =>
  runCommand(
    USAGE,
    options,
    async ({ contract: file, name, root: filesIn, packages, ...flags }, folder) => {
      if (folder === undefined || file === undefined)
        throw new UsageError('FOLDER and --contract are needed');
      const isInstalled = flags['no-install'] !== true;
      const leavesOut = flags['leave-out'] === true;
      const creation = { folder, file, name, filesIn, packages, isInstalled, leavesOut };
      terminal.out(await create({ ...creation, say: terminal.out }));
      return 0;
    },
    terminal,
    1,
  );
