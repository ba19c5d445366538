import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { root } from './data.ts';
import type { Section } from './report.ts';
import { measureInRounds, type Run } from './run.ts';
import { formatRatio, formatSpread, ratios } from './statistics.ts';

const execute = promisify(execFile);

/** How long a full `npm run generate` takes, and how long its generator of types alone. */
export async function measureGenerate(run: Run): Promise<Section> {
  const typesFile = path.join(run.folder, 'types.ts');
  const { types, everything } = await measureInRounds(run, 'generate', {
    types: () => timeOf('npx', '--no-install', 'openapi-typescript', 'openapi.yaml', '--output', typesFile),
    everything: () => timeOf('npm', 'run', 'generate'),
  });
  const figures = (times: number[]) => [formatSpread(times), formatSpread(ratios(times, types), formatRatio)];
  return {
    title: 'Generate',
    note: 'The whole command as it is typed. openapi-typescript writes only the types.',
    head: ['', 'ms', '× openapi-typescript'],
    rows: [
      ['npx openapi-typescript', ...figures(types)],
      ['npm run generate', ...figures(everything)],
    ],
  };
}

async function timeOf(command: string, ...args: string[]): Promise<number> {
  const started = performance.now();
  await execute(command, args, { cwd: root });
  return performance.now() - started;
}
