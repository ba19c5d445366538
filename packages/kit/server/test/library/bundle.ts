/* Bundles the library's command, so that it starts as fast as a shipped one, and generates its contract's value. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundle } from '../../../../../scripts/bundle.mjs';
import { contractFrom, contractText } from './contract-from.ts';

const root = path.resolve(import.meta.dirname, '../../../../..');
const outdir = path.join(import.meta.dirname, 'dist');

await bundle({
  root,
  entryPoints: { library: path.join(import.meta.dirname, 'main.ts') },
  outdir,
  folderOf: (file) => path.relative(outdir, path.dirname(file)),
});
writeFileSync(path.join(outdir, 'contract.json'), JSON.stringify(contractFrom(contractText)));
