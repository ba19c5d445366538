// `npm run dev`: saving openapi.yaml or a source regenerates, typechecks and restarts the server. A mistake is shown
// where it is, and the last good server keeps running until it is mended. Arguments go to `petstore serve`.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync, watch } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { ContractError } from '@petstore/contract-tools/contract';
import { contractFile, differences, generate, writeGenerated } from '@petstore/contract-tools/generate';

const root = path.resolve(import.meta.dirname, '..');
const pageFolder = path.join(root, 'apps/server/src/pages/browser');
const projects = ['packages/contract', 'apps/server', 'packages/client'];
const say = (text: string) => {
  console.log(`dev: ${text}`);
};

/** Mistakes by where they come from: the contract, or a project. A source that is still at work has no entry. */
const mistakes = new Map<string, readonly string[]>();
/** The sources of each project as its compiler last saw them, by version. */
const sources = new Map<string, ReadonlyMap<string, string>>();

let server: { process: ChildProcess; version: string } | undefined;
let restarting: Promise<void> | undefined;
let regenerating = Promise.resolve();
let stopping = false;
let shown = '';

async function regenerate(): Promise<void> {
  mistakes.delete('openapi.yaml');
  try {
    const differing = await differences(await generate());
    await writeGenerated(differing);
    const changed = differing.map(({ name }) => name);
    if (changed.length > 0) say(`generated ${changed.join(', ')}`);
    // What was found before is about files that are gone. Their compilers are about to notice.
    for (const [project, files] of sources) {
      if (changed.some((name) => files.has(path.join(root, name)))) mistakes.delete(project);
    }
    mistakes.set('openapi.yaml', []);
  } catch (error) {
    mistakes.set(
      'openapi.yaml',
      error instanceof ContractError ? error.message.split('\n') : [String(error)],
    );
  }
}

function watchProject(project: string): void {
  const found: string[] = [];
  const host = ts.createWatchCompilerHost(
    path.join(root, project, 'tsconfig.json'),
    { noEmit: true },
    ts.sys,
    ts.createSemanticDiagnosticsBuilderProgram,
    (diagnostic) => found.push(textOf(diagnostic)),
    (status) => {
      const isSettled = status.code === 6193 || status.code === 6194;
      if (isSettled) {
        mistakes.set(project, found.splice(0));
        settle();
      } else {
        mistakes.delete(project);
        found.length = 0;
      }
    },
  );
  const report = host.afterProgramCreate?.bind(host);
  host.afterProgramCreate = (builder) => {
    const own = builder.getSourceFiles().filter(({ fileName }) => !fileName.includes('/node_modules/'));
    sources.set(
      project,
      new Map(own.map((file) => [file.fileName, (file as { version?: string }).version ?? ''])),
    );
    report?.(builder);
  };
  ts.createWatchProgram(host);
}

/** Changes whenever a source that the server runs does. */
function serverVersion(): string {
  const files = [...(sources.get('apps/server') ?? [])];
  return [...files.filter(([name]) => name.includes('/src/')).map((file) => file.join(' ')), pageVersion()]
    .sort()
    .join('\n');
}

/** Changes whenever a file of the docs page does: the server reads them when it starts. */
function pageVersion(): string {
  return readdirSync(pageFolder)
    .map((name) => `${name} ${statSync(path.join(pageFolder, name)).mtimeMs}`)
    .join(' ');
}

function textOf(diagnostic: ts.Diagnostic): string {
  const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n');
  const { file, start } = diagnostic;
  if (!file || start === undefined) return message;
  const { line, character } = file.getLineAndCharacterOfPosition(start);
  return `${path.relative(root, file.fileName)}:${line + 1}:${character + 1}: ${message}`;
}

/** Restarts the server once everything is checked and right; shows what is wrong otherwise. */
function settle(): void {
  if (mistakes.size < projects.length + 1) return;
  const all = [...mistakes.values()].flat();
  if (all.length === 0) {
    shown = '';
    if (server?.version !== serverVersion()) restarting ??= restart().finally(() => (restarting = undefined));
    return;
  }
  const text = all.join('\n');
  if (text === shown) return;
  shown = text;
  // What went wrong first explains the rest, and one screen is what fits.
  const lines = text.split('\n');
  const fits = Math.max(5, (process.stdout.rows ?? 24) - 4);
  console.log(`\n${lines.slice(0, fits).join('\n')}`);
  if (lines.length > fits) say(`… and ${lines.length - fits} more lines`);
  const mend = server ? 'the last good server keeps running' : 'the server starts when it is mended';
  say(`${all.length} ${all.length === 1 ? 'mistake' : 'mistakes'}; ${mend}`);
}

async function restart(): Promise<void> {
  await stopServer();
  if (stopping) return;
  const args = ['--import', 'tsx', '--conditions=@petstore/source', 'apps/server/src/cli/main.ts'];
  const serve = ['serve', '--demo', '--check-replies', ...process.argv.slice(2)];
  const child = spawn(process.execPath, [...args, ...serve], {
    cwd: root,
    stdio: 'inherit',
    // A development server has nobody to wait for.
    env: { ...process.env, SHUTDOWN_GRACE_SECONDS: '1', SHUTDOWN_DELAY_SECONDS: '0' },
  });
  server = { process: child, version: serverVersion() };
  child.once('exit', (code) => {
    if (server?.process !== child) return;
    server = undefined;
    if (!stopping) say(`the server ended with code ${code}; it starts again after the next change`);
  });
}

async function stopServer(): Promise<void> {
  const child = server?.process;
  server = undefined;
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function stop(): Promise<void> {
  if (stopping) process.exit(1);
  stopping = true;
  await restarting;
  await stopServer();
  process.exit(0);
}

process.on('SIGINT', () => void stop());
process.on('SIGTERM', () => void stop());

say('checking everything once …');
await regenerate();
for (const project of projects) watchProject(project);
let saved: NodeJS.Timeout | undefined;
let savedPage: NodeJS.Timeout | undefined;
watch(pageFolder, () => {
  clearTimeout(savedPage);
  savedPage = setTimeout(settle, 80);
});
ts.sys.watchFile?.(contractFile, () => {
  // Editors write a file in several steps.
  clearTimeout(saved);
  saved = setTimeout(() => {
    regenerating = regenerating.then(regenerate).then(settle);
  }, 80);
});
