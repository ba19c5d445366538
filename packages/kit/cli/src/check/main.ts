import { setFlagsFromString } from 'node:v8';
import { runCommand, UsageError, type Terminal } from '../command.ts';
import { withProgress } from '../progress.ts';
import { checkFile } from './check-file.ts';

const USAGE = `Usage: contract-kit check [--quick] [--root DIR] FILE…

Tells whether each contract works: a line \`FILE: works\`, and a remark for each part that is ignored; or a line for each
violation, with its place, what is wrong, and what to do. A contract works if code can be generated from it, the types compile,
and each operation of a server was called through the generated client, and as a tool for agents. Names the operations that
it could not call, and why. Exits 1 if a contract is rejected. Nothing is written.

  --quick      leave out the compiler and the server
  --root DIR   allow references to files at or below this folder, which has the contracts too
  --help       print this`;

export const main = (terminal: Terminal) =>
  runCommand(
    USAGE,
    { quick: { type: 'boolean' }, root: { type: 'string' } },
    async ({ quick = false, root }, ...files) => {
      if (files.length === 0) throw new UsageError('name at least one file');
      // Node.js collects garbage when the memory has grown fourfold, which is gigabytes for a large contract.
      setFlagsFromString('--heap-growing-percent=20');
      let allWork = true;
      for (const file of files) {
        const { works, lines } = await withProgress((progress) =>
          checkFile(file, { isQuick: quick, root, progress }),
        );
        allWork &&= works;
        console.log(lines.join('\n'));
      }
      return allWork ? 0 : 1;
    },
    terminal,
    Infinity,
  );
