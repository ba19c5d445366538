import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { watch, type FSWatcher } from 'chokidar';
import type { Terminal } from '../command.ts';
import { root } from '../workspace.ts';

const USAGE = `Usage: contract-kit dev [option of serve …]

On each save, generates code from the contract, checks the types, and restarts the server. While one of the first two
fails, the last good server keeps running.

  --help   print this`;

const CHECKED = /^(openapi\.yaml|openapi\/.*|service\.json|tsconfig[^/]*\.json|(apps|packages|scripts)\/.*)$/;
const SERVED =
  /^(openapi\.yaml|openapi\/.*|service\.json|apps\/server\/src\/.*|packages\/contract\/src\/.*|packages\/kit\/(core|server|cli)\/src\/.*)$/;
/** Generated files too: a check has written them. */
const SKIPPED =
  /(^|\/)(node_modules|dist|dist\.new|generated|bench|package\.json|[^/]*\.md|\.[^/]*)(\/|$)|^packages\/client\/src\//;
/** Editors write a file in several steps, and git writes many files. */
const QUIET_MS = 100;
/** A server whose event loop is blocked does not hear SIGTERM. */
const KILL_AFTER_MS = 3000;
/** Ends a server whose parent is gone, however that ended. */
const ENDS_WITH_PARENT = `process.once('disconnect', () => process.exit()).channel.unref()`;

/** Runs TypeScript as it is. */
const FROM_SOURCES = ['--import', import.meta.resolve('tsx')];
const generate = [
  process.execPath,
  path.resolve(import.meta.dirname, '../../bin/contract-kit.js'),
  'generate',
];
const typecheck = ['npm', 'run', '--silent', 'typecheck', '--', '--pretty', 'false'];

const say = (text: string) => console.log(`dev: ${text}`);

export function main({ args, out }: Terminal): Promise<number> {
  if (args.includes('--help')) {
    out(USAGE);
    return Promise.resolve(0);
  }
  develop(args);
  // A signal ends it.
  return new Promise(() => {});
}

/** Watches and serves until a signal ends the process. `args` go to `serve`. */
function develop(args: readonly string[]): void {
  let server: ChildProcess | undefined;
  let checker: ChildProcess | undefined;
  let isStale = true;
  let isDue = true;
  let isStopping = false;

  async function check(): Promise<void> {
    // The check before began after the last change.
    if (!isDue) return;
    isDue = false;
    const passes = (await succeeds(generate)) && (await succeeds(typecheck));
    // A file that was saved meanwhile may not be checked. The next check does it.
    if (isStopping || isDue) return;
    if (!passes) {
      say(server ? 'the last good server keeps running' : 'the server starts when this is fixed');
    } else if (isStale) {
      isStale = false;
      await end(server);
      start();
    } else {
      say('all checks pass');
    }
  }

  async function succeeds([program = '', ...args]: readonly string[]): Promise<boolean> {
    // A process group, because the compiler is a child of its script.
    const child = spawn(program, args, { cwd: root, stdio: 'inherit', detached: true });
    checker = child;
    await once(child, 'exit');
    checker = undefined;
    return child.exitCode === 0;
  }

  function start(): void {
    const next = fork('apps/server/src/main.ts', ['serve', '--demo', '--validate-responses', ...args], {
      cwd: root,
      env: { ...process.env, SHUTDOWN_GRACE_SECONDS: '1', SHUTDOWN_DELAY_SECONDS: '0' },
      execArgv: [...FROM_SOURCES, '--import', `data:text/javascript,${ENDS_WITH_PARENT}`],
    });
    server = next;
    // One that cannot be started has no exit.
    next.on('error', (error) => say(`the server cannot be started: ${error.message}`));
    next.once('exit', (code) => {
      if (server !== next) return;
      server = undefined;
      isStale = true;
      if (!isStopping) say(`the server ended with code ${code}; it starts again after the next change`);
    });
  }

  async function end(child: ChildProcess | undefined): Promise<void> {
    if (!child) return;
    server = undefined;
    const kill = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
    child.kill('SIGTERM');
    await once(child, 'exit');
    clearTimeout(kill);
  }

  async function stop(): Promise<void> {
    // Ctrl-C arrives twice: from the terminal and from npm.
    if (isStopping) return;
    isStopping = true;
    if (checker?.pid) process.kill(-checker.pid);
    await end(server);
    process.exit();
  }

  let rest: NodeJS.Timeout | undefined;
  let checking = Promise.resolve();
  function checkSoon(): void {
    isDue = true;
    clearTimeout(rest);
    rest = setTimeout(() => {
      watchAnew();
      checking = checking.then(check);
    }, QUIET_MS);
  }

  let watcher: FSWatcher | undefined;
  /** A watcher loses a folder that is replaced, as `git switch` does, so each check begins with a new one. */
  function watchAnew(): void {
    const last = watcher;
    const ignored = (file: string) => SKIPPED.test(path.relative(root, file));
    watcher = watch('.', { cwd: root, ignored, ignoreInitial: true })
      .on('all', (_event, file) => {
        isStale ||= SERVED.test(file);
        if (CHECKED.test(file)) checkSoon();
      })
      .on('error', (error) => say(`cannot watch all files: ${(error as Error).message}`))
      .on('ready', () => void last?.close());
  }

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop());
  say('starting …');
  checkSoon();
}
