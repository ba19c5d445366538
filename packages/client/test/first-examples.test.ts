import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { transformSync } from 'esbuild';
import { examplesIn } from './examples.ts';
import { installPacked, type Installed } from './installed.ts';

const root = path.resolve(__dirname, '../../..');

let installed: Installed;
let service: ChildProcess;
let data: string;
let [key, origin] = ['', ''];

beforeAll(async () => {
  installed = installPacked();
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  data = mkdtempSync(path.join(tmpdir(), 'petstore-'));
  const [, ...args] = scripts.start.split(' ');
  const env = { ...process.env, DATA_DIR: data, HOST: '127.0.0.1', PORT: '0' };
  service = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  if (!service.stdout) throw new Error('no output');
  for await (const line of createInterface(service.stdout)) {
    key = /pst_\w+/.exec(line)?.[0] ?? key;
    origin = /http:\/\/[\d.:]+/.exec(line)?.[0] ?? origin;
    if (line.includes('listening')) break;
  }
  service.stdout.resume();
});
afterAll(async () => {
  const exited = once(service, 'exit');
  service.kill();
  await exited;
  installed.remove();
  rmSync(data, { recursive: true, force: true });
});

test.each(['README.md', '../../README.md'])(
  'the first example of %s runs with what npm start prints',
  async (page) => {
    const [example] = examplesIn(page);
    const code = transformSync(example ?? '', { loader: 'ts', format: 'esm' }).code;
    const file = installed.write('first.mjs', code.replace('http://127.0.0.1:3000', origin));
    const child = spawn(process.execPath, [file], {
      env: { ...process.env, PETSTORE_API_KEY: key, PETSTORE_BASE_URL: `${origin}/v1` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [printed, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(complaints).toBe('');
    expect(printed).toMatch(/^(\d+ orders|1 )/);
  },
);
