import { runCommand, UsageError } from '@kit/tools/command';
import { checkFiles } from './check-files.ts';

const USAGE = `Usage: npm run contract:check -- [--quick] FILE…

Tells whether each contract works: a line \`FILE: works\`, or for each refusal a line with its place, what is wrong, and
what to do. A contract works if it can be generated from, the generated types compile, and a server started from it
answers one request per operation as declared. Exits 1 if a contract is refused. Nothing is written.

  --quick   leave out the compiler and the server
  --help    print this`;

process.exitCode = await runCommand(
  USAGE,
  { quick: { type: 'boolean' } },
  async ({ quick = false }, ...files) => {
    if (files.length === 0) throw new UsageError('name at least one file');
    return (await checkFiles(files, { quick, print: console.log })) ? 0 : 1;
  },
  undefined,
  Infinity,
);
