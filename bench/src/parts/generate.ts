import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Bench } from '../bench.ts';
import { runCommand } from '../command.ts';
import { atMost, type PartResult } from '../result.ts';
import { formatRatio, formatSpread, ratioOf, spreadOf, format } from '../statistics.ts';
import type { Part } from './part.ts';

const root = path.resolve(import.meta.dirname, '../../../..');
const CLI = "openapi-typescript's CLI (npx openapi-typescript)";
const ONE_CHANGE = 'one change (npm run generate)';

/** What comes from the contract, made anew. */
export const generate: Part = {
  name: 'generate',
  about: "generate cold, cached and after one change, against openapi-typescript's own CLI",
  async run(bench: Bench): Promise<PartResult> {
    const title = 'Generate';
    bench.progress.step(`${title}: copying the workspace`);
    const workspace = copyWorkspace();
    bench.onEnd(() => rmSync(workspace, { recursive: true, force: true }));
    const contract = path.join(workspace, 'openapi.yaml');
    const generated = path.join(workspace, 'packages/contract/src/generated');
    const original = readFileSync(contract, 'utf8');
    const changeOnce = (round: number) =>
      writeFileSync(contract, original.replace('summary: List orders', `summary: List orders ${round}`));
    const npm = (...args: string[]) => runCommand(bench, 'npm', args, workspace);
    const npx = (...args: string[]) => runCommand(bench, 'npx', ['--no-install', ...args], workspace);
    const turbo = () => npx('turbo', 'run', 'generate', '--filter=@petstore/contract');

    const ways: Record<string, (round: number) => Promise<number>> = {
      [CLI]: () => npx('openapi-typescript', contract, '--output', path.join(bench.folder, 'types.ts')),
      'cold: nothing generated yet (npm run generate)': () => {
        rmSync(generated, { recursive: true, force: true });
        return npm('run', 'generate');
      },
      'cached (turbo run generate, as a build does)': async () => {
        await turbo();
        return turbo();
      },
      [ONE_CHANGE]: (round) => {
        changeOnce(round);
        return npm('run', 'generate');
      },
      'one change (turbo run generate, as a build does)': (round) => {
        changeOnce(-round);
        return turbo();
      },
    };
    const times = new Map<string, number[]>();
    for (let round = 0; round <= bench.rounds; round += 1) {
      for (const [name, way] of Object.entries(ways)) {
        bench.signal.throwIfAborted();
        bench.progress.step(`${title}: round ${round} of ${bench.rounds}, ${name}`);
        const time = await way(round);
        // The first round fills the caches of the disk.
        if (round > 0) times.set(name, [...(times.get(name) ?? []), time]);
      }
    }
    const of = (name: string) => times.get(name) ?? [];
    return {
      title,
      tables: [
        {
          head: ['', 'ms', 'of the CLI'],
          rows: [...times].map(([name, values]) => [
            name,
            formatSpread(spreadOf(values), format),
            formatSpread(ratioOf(values, of(CLI)), formatRatio),
          ]),
        },
      ],
      notes: ['The whole command as it is typed, npm included, on a copy of this workspace.'],
      claims: [
        atMost(
          'generate after one change',
          1.3,
          "× openapi-typescript's CLI",
          ratioOf(of(ONE_CHANGE), of(CLI)),
        ),
      ],
    };
  },
};

/** What generating needs of the workspace, with the packages that are installed here. */
function copyWorkspace(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-generate-'));
  const isFile = (name: string) => /\.(json|mjs|yaml)$|^\.(npmrc|prettier)/.test(name);
  for (const name of readdirSync(root).filter(isFile)) cpSync(path.join(root, name), path.join(folder, name));
  const skipped = new Set(['node_modules', 'dist', '.turbo', '.data']);
  for (const name of ['packages', 'apps']) {
    cpSync(path.join(root, name), path.join(folder, name), {
      recursive: true,
      filter: (source) => !skipped.has(path.basename(source)),
    });
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  for (const name of ['packages/contract', 'packages/client', 'apps/server', 'apps/bench']) {
    const modules = path.join(root, name, 'node_modules');
    if (existsSync(modules)) symlinkSync(modules, path.join(folder, name, 'node_modules'));
  }
  return folder;
}
