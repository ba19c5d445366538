import { parseArgs } from 'node:util';
import { runCommand } from '../command.ts';
import { differences, generate, writeGenerated } from './generate.ts';
import { unifiedDiff } from './unified-diff.ts';

const USAGE = `Usage: npm run generate [-- --check]

Derives packages/contract/src/generated from openapi.yaml, the contract version in packages/client/package.json, and
docs/contract.md from what is supported.

  --check   compare instead of writing; exit 1 and print the difference when a file is not up to date
  --help    print this`;

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { check: { type: 'boolean' }, help: { type: 'boolean' } } });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const differing = await differences(await generate());
  const names = differing.map(({ name }) => name).join(', ');
  if (differing.length === 0) {
    console.log('Generated files are up to date.');
    return 0;
  }
  if (!values.check) {
    await writeGenerated(differing);
    console.log(`Generated ${names}.`);
    return 0;
  }
  for (const { name, present, wanted } of differing) console.log(unifiedDiff(name, present, wanted));
  console.error(`Not up to date with openapi.yaml: ${names}. Run \`npm run generate\` and commit.`);
  return 1;
}

runCommand(USAGE, main);
