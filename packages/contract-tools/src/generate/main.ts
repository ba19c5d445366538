import { parseArgs } from 'node:util';
import { clientManifest, manifestName, writeClientManifest } from './client-manifest.ts';
import { ContractError } from '../contract.ts';
import type { Outputs } from './emit.ts';
import { contractFile } from '../workspace.ts';
import { generate, readGenerated, writeGenerated } from './generate.ts';
import { unifiedDiff } from './unified-diff.ts';

const generatedName = 'packages/contract/src/generated';

const USAGE = `Usage: npm run generate [-- --check]

Derives packages/contract/src/generated from openapi.yaml, and the contract version in packages/client/package.json.

  --check   compare instead of writing; exit 1 and print the difference when a file is not up to date
  --help    print this`;

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { check: { type: 'boolean' }, help: { type: 'boolean' } } });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const outputs = await generate();
  const manifest = await clientManifest(contractFile);
  if (!values.check) {
    const changed = [...(await writeGenerated(outputs)), ...(await writeClientManifest(manifest))];
    console.log(
      changed.length === 0 ? 'Generated files are up to date.' : `Generated ${changed.join(', ')}.`,
    );
    return 0;
  }
  const present = everything(await readGenerated(), manifest.present);
  const wanted = everything(outputs, manifest.wanted);
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
function everything(generated: Outputs, manifest: string): Outputs {
  const entries = Object.entries(generated).map(
    ([name, text]) => [`${generatedName}/${name}`, text] as const,
  );
  return { ...Object.fromEntries(entries), [manifestName]: manifest };
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
