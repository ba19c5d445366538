/* Bundles the library's command, so that it starts as fast as a shipped one, and generates its contract's value. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { bundleOptions } from '../../src/bundle.ts';
import { contractFrom, contractText } from '@contract-kit/test-support/contracts';

const outdir = path.join(import.meta.dirname, 'dist');

await build({
  ...bundleOptions((file) => path.relative(outdir, path.dirname(file))),
  entryPoints: { library: path.join(import.meta.dirname, 'main.ts') },
  outdir,
});
writeFileSync(path.join(outdir, 'contract.json'), JSON.stringify(contractFrom(contractText)));
