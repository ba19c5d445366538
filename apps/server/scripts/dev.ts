// A server of `npm run dev`, in steps: it loads what the sources need before there is anything to serve; loads the
// sources and tries them when it is told so; and serves once the server before it has left the port and the data.
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../..');
const [trialDir = ''] = process.argv.splice(2, 1);

const steps = {
  /** Answers with what is wrong, or with nothing. */
  async load() {
    process.send?.(await attempt().then(() => '', textOf));
  },
  async serve() {
    process.argv.splice(2, 0, 'serve', '--demo', '--check-replies');
    await import('../src/cli/main.ts');
    process.exit();
  },
};

/** Starts and stops the service on a port and an empty store of its own. */
async function attempt(): Promise<void> {
  const [{ startService }, { readConfig }, { pino }] = await Promise.all([
    import('../src/service.ts'),
    import('../src/config.ts'),
    import('pino'),
    import('../src/cli/program.ts'),
    import('../src/cli/serve.ts'),
  ]);
  await rm(trialDir, { recursive: true, force: true });
  const config = { ...readConfig(), port: 0, dataDir: trialDir, databaseUrl: undefined, redisUrl: undefined };
  const service = await startService({ config, log: pino({ level: 'silent' }), checksReplies: true });
  await service.stop();
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const ours = (error.stack ?? error.message).split('\n').filter((line) => !/node:|node_modules/.test(line));
  return ours.join('\n').replaceAll(`${root}/`, '');
}

process.on('message', (step: keyof typeof steps) => void steps[step]());
// Whatever way `npm run dev` ends, nothing of it keeps the port.
process.on('disconnect', () => process.exit());

const require = createRequire(import.meta.url);
const { dependencies } = require('../package.json') as { dependencies: Record<string, string> };
for (const name of Object.keys(dependencies)) {
  if (!name.startsWith('@petstore/')) await import(require.resolve(name));
}
