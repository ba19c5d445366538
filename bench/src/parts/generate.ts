import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Part } from '../part.ts';
import { runCommand } from '../command.ts';
import { atMost } from '../result.ts';
import { formatRatio, formatSpread, ratioOf, spreadOf, format } from '../statistics.ts';
import { copyWorkspace } from '../workspace.ts';

const CLI = "openapi-typescript's CLI (npx openapi-typescript)";
const ONE_CHANGE = 'one change (npm run generate)';

/** What comes from the contract, made anew. */
export const generate: Part = {
  name: 'generate',
  about: "generate cold, cached and after one change, against openapi-typescript's own CLI",
  async run(bench) {
    const title = 'Generate';
    bench.step(`${title}: copying the workspace`);
    const { folder: workspace } = copyWorkspace(bench);
    const contract = path.join(workspace, 'openapi.yaml');
    const generated = path.join(workspace, 'packages/contract/src/generated');
    const original = readFileSync(contract, 'utf8');
    const changeOnce = (round: number) =>
      writeFileSync(contract, original.replace('summary: List orders', `summary: List orders ${round}`));
    const npm = (...args: string[]) => runCommand(bench, 'npm', args, workspace);
    const npx = (...args: string[]) => runCommand(bench, 'npx', ['--no-install', ...args], workspace);
    const turbo = () => npx('turbo', 'run', '//#generate');

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
        bench.step(`${title}: round ${round} of ${bench.rounds}, ${name}`);
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
