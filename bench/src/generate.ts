import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { root } from './data.ts';
import type { Section } from './report.ts';
import type { Run } from './run.ts';
import { formatRatio, formatSpread, ratios } from './statistics.ts';

const execute = promisify(execFile);

/** How long `npm run generate` takes, which makes everything anew, and how long the generator of types alone. */
export async function measureGenerate(run: Run): Promise<Section> {
  const types = path.join(run.folder, 'types.ts');
  const commands = [
    ['npx', '--no-install', 'openapi-typescript', 'openapi.yaml', '--output', types],
    ['npm', 'run', 'generate'],
  ].map((command) => ({ command, times: [] as number[] }));
  // The first round fills the caches of the disk and is not counted.
  for (let round = 0; round <= run.rounds; round += 1) {
    run.say(`generate: round ${round} of ${run.rounds}`);
    for (const { command, times } of commands) {
      const [program = '', ...args] = command;
      const started = performance.now();
      await execute(program, args, { cwd: root });
      if (round > 0) times.push(performance.now() - started);
    }
  }
  const base = commands[0]?.times ?? [];
  return {
    title: 'Generate',
    note: 'The whole command as it is typed. `npm run generate` writes the types, the routes and the checks; openapi-typescript only the types.',
    head: ['', 'ms', '× openapi-typescript'],
    rows: [
      ['npx openapi-typescript', ...figures(base, base)],
      ['npm run generate', ...figures(commands[1]?.times ?? [], base)],
    ],
  };
}

function figures(times: readonly number[], base: readonly number[]): string[] {
  return [formatSpread(times), formatSpread(ratios(times, base), formatRatio)];
}
