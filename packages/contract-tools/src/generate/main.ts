import { parseArgs } from 'node:util';
import { ContractError } from '../contract.ts';
import type { Outputs } from './emit.ts';
import { filesBeside, writeBeside, type FileBeside } from './files-beside.ts';
import { generate, readGenerated, writeGenerated } from './generate.ts';
import { unifiedDiff } from './unified-diff.ts';

const generatedName = 'packages/contract/src/generated';

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
  const outputs = await generate();
  const beside = await filesBeside();
  if (!values.check) {
    const changed = [...(await writeGenerated(outputs)), ...(await writeBeside(beside))];
    console.log(
      changed.length === 0 ? 'Generated files are up to date.' : `Generated ${changed.join(', ')}.`,
    );
    return 0;
  }
  const present = everything(await readGenerated(), beside, 'present');
  const wanted = everything(outputs, beside, 'wanted');
  const names = [...new Set([...Object.keys(present), ...Object.keys(wanted)])].sort();
  const differences = names.filter((name) => present[name] !== wanted[name]);
  if (differences.length === 0) {
    console.log('Generated files are up to date.');
    return 0;
  }
  for (const name of differences) {
    console.log(unifiedDiff(name, present[name], wanted[name]));
  }
  console.error(
    `Not up to date with openapi.yaml: ${differences.join(', ')}. Run \`npm run generate\` and commit.`,
  );
  return 1;
}

/** All files by their names from the root of the workspace. */
function everything(generated: Outputs, beside: readonly FileBeside[], state: 'present' | 'wanted'): Outputs {
  return Object.fromEntries([
    ...Object.entries(generated).map(([name, text]) => [`${generatedName}/${name}`, text]),
    ...beside.map((file) => [file.name, file[state]]),
  ]) as Outputs;
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    const usage =
      error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
    if (usage) console.error(`${error.message}\n\n${USAGE}`);
    else console.error(error instanceof ContractError ? error.message : error);
    process.exitCode = usage ? 2 : 1;
  },
);
