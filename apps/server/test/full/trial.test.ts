import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { parseContract } from '../../../../packages/contract-tools/src/contract.ts';
import { chapters } from '../../../../packages/contract-tools/src/support/features.ts';
import { copyWorkspace, root } from '../support/workspace.ts';
import { provenRows } from '../trial/rows.ts';

/*
 * Everything that docs/contract.md says works, tried on a copy of the workspace with another contract: it is generated
 * from, the types of both sides are compiled, and every operation is called with inputs made from its schemas.
 */

const text = readFileSync(path.join(root, 'packages/contract-tools/test/trial/openapi.yaml'), 'utf8');

/** What no single operation uses: it is of the document, which is read and published as a whole. */
const WHOLE = [
  'OpenAPI 3.1',
  '`info`: title, summary, description, contact, license, terms of service',
  'servers with an absolute address',
  'tags, with description and external documentation',
];

const execute = promisify(execFile);
let workspace: string;
let problems: Record<string, string[]>;

async function run(...args: string[]): Promise<string> {
  try {
    return (await execute(process.execPath, args, { cwd: workspace, maxBuffer: 1e8 })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

function runSource(file: string): Promise<string> {
  return run('node_modules/tsx/dist/cli.mjs', '--conditions=@petstore/source', file);
}

function edit(file: string, change: (text: string) => string): void {
  const full = path.join(workspace, file);
  writeFileSync(full, change(readFileSync(full, 'utf8')));
}

beforeAll(async () => {
  workspace = copyWorkspace();
  edit('openapi.yaml', () => text);
  await runSource('packages/contract-tools/src/generate/main.ts');
  edit('apps/server/src/handlers.ts', () => `export { createHandlers } from '../test/trial/echo.ts';\n`);
  // The trial has no orders; only these types speak of them.
  edit('packages/contract/src/types.ts', (types) => types.replace(`['Order']`, `['Pet']`));
  edit('packages/client/src/types.ts', (types) =>
    types.replace(`export type Order = Schemas['Order']`, `export type Order = Schemas['Pet']`),
  );
  const lines = (await runSource('apps/server/test/trial/main.ts')).trim().split('\n');
  problems = Object.fromEntries(
    lines
      .map((line) => JSON.parse(line) as { operation: string; problems: string[] })
      .map((each) => [each.operation, each.problems]),
  );
}, 300_000);

afterAll(() => {
  rmSync(workspace, { recursive: true, force: true });
});

test('the types of handlers and of the client are what the contract promises', async () => {
  const folder = './packages/contract-tools/test/trial';
  const settings = {
    extends: './tsconfig.json',
    include: [],
    exclude: [],
    files: [`${folder}/handlers.ts`, `${folder}/client.ts`],
  };
  writeFileSync(path.join(workspace, 'tsconfig.trial.json'), JSON.stringify(settings));
  await run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.trial.json', '--incremental', 'false');
});

test('what handlers receive is what was passed, what callers get is what was answered, and the rest is refused', () => {
  const wrong = Object.entries(problems).filter(([, each]) => each.length > 0);
  expect(wrong.map(([operation, each]) => `${operation}:\n${each.join('\n')}`).join('\n\n')).toBe('');
});

test('everything that docs/contract.md says works is proved by an operation', () => {
  const proven = provenRows(parseContract(text), Object.keys(problems));
  const working = Object.values(chapters)
    .flat()
    .filter(({ verdict }) => verdict === 'works');
  const unproven = working
    .map(({ name }) => name)
    .filter((name) => !proven.has(name) && !WHOLE.includes(name));
  expect(unproven).toEqual([]);
});
