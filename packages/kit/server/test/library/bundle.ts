/* Bundles the library's command, so that it starts as fast as a shipped one. */
import path from 'node:path';
import { bundle } from '../../../../../scripts/bundle.mjs';
import { contract } from './contract.ts';

const root = path.resolve(import.meta.dirname, '../../../../..');
const outdir = path.resolve(import.meta.dirname, '../../dist');

await bundle({
  root,
  entryPoints: { library: path.join(import.meta.dirname, 'main.ts') },
  outdir,
  folderOf: (file) => path.relative(outdir, path.dirname(file)),
  plugins: [
    {
      name: 'the contract as a value',
      setup(bundler) {
        const contents = `export const contract = ${JSON.stringify(contract)};`;
        bundler.onLoad({ filter: /\/library\/contract\.ts$/ }, () => ({ contents }));
      },
    },
  ],
});
