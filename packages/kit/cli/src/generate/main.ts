import { VERSION } from '@contract-kit/core';
import { createTwoFilesPatch } from 'diff';
import { runCommand, type Terminal } from '../command.ts';
import { errorBodyFile } from '../workspace.ts';
import { differences, generate, misfitIn, writeGenerated, written } from './generate.ts';

const USAGE = `Usage: contract-kit generate [--check]

Generates code and pages from openapi.yaml and service.json, and from settings.ts and error-body.ts in apps/server/src if
they exist. Edit these. Writes error-body.ts once, if the errors of the contract need it. Never edit what is generated, which is committed:

${Object.entries(written)
  .map(([place, content]) => `  ${place}\n      ${content}`)
  .join('\n')}

  --check   compare instead of writing; exit 1 and print the difference when a file is not up to date
  --help    print this`;

export const main = (terminal: Terminal) =>
  runCommand(
    USAGE,
    { check: { type: 'boolean' } },
    async ({ check }) => {
      const differing = await differences(await generate());
      const names = differing.map(({ name }) => name).join(', ');
      if (differing.length === 0) {
        console.log('Generated files are up to date.');
        return 0;
      }
      if (!check) {
        await writeGenerated(differing);
        console.log(`Generated ${names}.`);
        if (differing.some(({ name }) => name === errorBodyFile))
          console.log(
            `${errorBodyFile} is a guess, and yours to change. Pass its errorBody to defineService in service.ts.`,
          );
        return 0;
      }
      // Shows a missing file as empty.
      for (const { name, present = '', wanted = '' } of differing)
        console.log(
          createTwoFilesPatch(`on disk: ${name}`, `generated: ${name}`, present, wanted, '', '', {
            context: 3,
          }),
        );
      const other = misfitIn(differing);
      if (other !== undefined) console.error(`contract-kit is ${VERSION}, and ${other} generated the code.`);
      console.error(`Not up to date with openapi.yaml: ${names}. Run \`npm run generate\` and commit.`);
      return 1;
    },
    terminal,
  );
