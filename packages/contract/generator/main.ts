import { parseArgs } from 'node:util';
import { ContractError } from './contract.ts';
import { generate, readGenerated, writeGenerated } from './generate.ts';
import { unifiedDiff } from './unified-diff.ts';

const USAGE = `Usage: npm run generate [-- --check]

Derives packages/contract/src/generated from openapi.yaml.

  --check   compare instead of writing; exit 1 and print the difference when a file is not up to date
  --help    print this`;

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { check: { type: 'boolean' }, help: { type: 'boolean' } } });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const outputs = await generate();
  if (!values.check) {
    const changed = await writeGenerated(outputs);
    console.log(
      changed.length === 0 ? 'Generated files are up to date.' : `Generated ${changed.join(', ')}.`,
    );
    return 0;
  }
  const present = await readGenerated();
  const names = [...new Set([...Object.keys(present), ...Object.keys(outputs)])].sort();
  const differences = names.filter((name) => present[name] !== outputs[name]);
  if (differences.length === 0) {
    console.log('Generated files are up to date.');
    return 0;
  }
  for (const name of differences) {
    console.log(unifiedDiff(`packages/contract/src/generated/${name}`, present[name], outputs[name]));
  }
  console.error(
    `Not up to date with openapi.yaml: ${differences.join(', ')}. Run \`npm run generate\` and commit.`,
  );
  return 1;
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
