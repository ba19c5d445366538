// `npm run dev`: what is saved is generated from, served, and then checked. A mistake is shown where it is, and the last
// good server keeps running until it is mended. Arguments go to `petstore serve`.
import { execFile, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stateOf, watchFolder } from './files.ts';
import { endTypecheck, typecheck } from './types.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** Where a server is tried. One that is killed while it is leaves its store there. */
const TRIAL_DIR = mkdtempSync(path.join(tmpdir(), 'petstore-dev-'));
const env = { ...process.env, SHUTDOWN_GRACE_SECONDS: '1', SHUTDOWN_DELAY_SECONDS: '0' };
/** A server whose thread is held hears no other signal. */
const KILL_AFTER_MS = 3000;
/** Ctrl-C reaches this process twice: the terminal tells all, and npm passes it on. */
const SAME_KEY_MS = 500;

const say = (text: string) => console.log(`dev: ${text}`);
const at = (...places: string[]) => stateOf(...places.map((place) => path.join(root, place)));
const start = (file: string, args: string[] = []) => fork(path.join(root, file), args, { cwd: root, env });
const startServer = () => start('apps/server/scripts/dev.ts', [TRIAL_DIR, ...process.argv.slice(2)]);
/** Who has ended meanwhile hears nothing: that is told by its exit. */
const tell = (child: ChildProcess, message: string) => child.send(message, () => undefined);

type Source = 'contract' | 'server' | 'types' | 'lint';
/** What is wrong, by who says so: undefined while it is being found out. */
const mistakes = new Map<Source, readonly string[] | undefined>();
/** What was last generated from, generated, served and type-checked. */
const seen = { contract: '', generated: '', served: '', typed: '' };

let spare = startServer();
let trying: ChildProcess | undefined;
let server: ChildProcess | undefined;
let shown = '';
let stopping: number | undefined;

async function work(): Promise<void> {
  const contract = at('openapi.yaml', 'packages/contract-tools/src');
  const isNew = contract !== seen.contract;
  if (isNew || at('packages/contract/src/generated') !== seen.generated) {
    seen.contract = contract;
    note('contract', await run('generate'));
    seen.generated = at('packages/contract/src/generated');
  }
  const typed = at('apps', 'packages', 'scripts', 'tsconfig.json', 'tsconfig.base.json');
  if (typed !== seen.typed) {
    seen.typed = typed;
    void checkTypes();
  }
  if (served() !== seen.served) await serve();
  if (isNew) void lint(contract);
}

const served = () => at('apps/server/src', 'packages/contract/src');

async function checkTypes(): Promise<void> {
  note('types', undefined);
  const found = await typecheck(root);
  if (found) note('types', found);
}

/** Puts the sources as they are now in the place of the server, if they start. */
async function serve(): Promise<void> {
  seen.served = served();
  note('server', undefined);
  trying = spare.connected ? spare : startServer();
  tell(trying, 'load');
  const [answer] = (await Promise.race([once(trying, 'message'), once(trying, 'exit')])) as unknown[];
  const next = trying;
  trying = undefined;
  if (stopping) return;
  spare = startServer();
  // There is something newer, which is next.
  if (next.killed) return void (seen.served = '');
  if (answer !== '') {
    next.kill('SIGKILL');
    note('server', [typeof answer === 'string' ? answer : 'the server ended while it was loaded']);
    return;
  }
  const last = server;
  server = next;
  next.once('exit', (code) => {
    if (server !== next) return;
    server = undefined;
    seen.served = '';
    note('server', [`the server ended with code ${code}; it starts again after the next change`]);
  });
  await end(last);
  if (server !== next) return;
  tell(next, 'serve');
  await Promise.race([once(next, 'message'), once(next, 'exit')]);
  if (server === next) note('server', []);
}

async function lint(contract: string): Promise<void> {
  if (mistakes.get('contract')?.length !== 0) return note('lint', []);
  note('lint', undefined);
  const found = await run('lint');
  if (seen.contract === contract) note('lint', found);
}

/** Runs a command of the contract's tools; resolves to the lines of what it says is wrong. */
function run(command: 'generate' | 'lint'): Promise<string[]> {
  const main = `packages/contract-tools/src/${command}/main.ts`;
  return new Promise((resolve) => {
    execFile(process.execPath, [...process.execArgv, main], { cwd: root }, (error, stdout, stderr) => {
      if (!error && command === 'generate' && !stdout.includes('up to date')) say(stdout.trim());
      resolve(error ? (stderr.trim() || error.message).split('\n') : []);
    });
  });
}

function note(source: Source, found: readonly string[] | undefined): void {
  if (stopping) return;
  mistakes.set(source, found);
  const all = [...mistakes.values()].flatMap((each) => each ?? []);
  if (all.length === 0) {
    if (shown === '' || [...mistakes.values()].includes(undefined)) return;
    shown = '';
    return say('all right again');
  }
  const text = all.join('\n');
  if (text === shown) return;
  shown = text;
  // What went wrong first explains the rest, and one screen is what fits.
  const lines = text.split('\n');
  const fits = Math.max(5, (process.stdout.rows ?? 24) - 4);
  console.log(`\n${lines.slice(0, fits).join('\n')}`);
  if (lines.length > fits) say(`… and ${lines.length - fits} more lines`);
  const isServed = mistakes.get('contract')?.length === 0 && mistakes.get('server')?.length === 0;
  const running = isServed ? 'the server runs all the same' : 'the last good server keeps running';
  const mend = server ? running : 'the server starts when it is mended';
  say(`${all.length} ${all.length === 1 ? 'mistake' : 'mistakes'}; ${mend}`);
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const kill = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
  child.kill('SIGTERM');
  await once(child, 'exit');
  clearTimeout(kill);
}

async function stop(): Promise<void> {
  if (stopping) return void (performance.now() - stopping > SAME_KEY_MS && process.exit(1));
  stopping = performance.now();
  endTypecheck();
  for (const child of [spare, trying]) child?.kill('SIGKILL');
  await end(server);
  process.exit(0);
}

process.on('exit', () => rmSync(TRIAL_DIR, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop());
// npm that was killed tells nobody. It is the parent because the script in package.json takes the place of its shell.
if (process.env.npm_lifecycle_event === 'dev') {
  const npm = process.ppid;
  setInterval(() => process.ppid === npm || void stop(), 1000);
}

say('starting …');
let working = Promise.resolve();
watchFolder(root, () => {
  // What does not even load must not keep its mend waiting.
  if (trying && served() !== seen.served) trying.kill('SIGKILL');
  working = working.then(work);
});
