import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '@petstore/local-stack';
import { until } from './until.ts';
import { copyWorkspace, type Workspace } from './workspace.ts';

/** `npm run dev` in a copy of the workspace. */
export interface DevLoop extends Pick<Workspace, 'file' | 'edit'> {
  readonly process: ChildProcess;
  /** Settles when everything that was started has ended. */
  readonly closed: Promise<unknown>;
  /** Forgets what was said, does `act`, and resolves to all that is said until `text` is. */
  says(text: string, act?: () => unknown): Promise<string>;
  /** The text at `place` of the server; undefined where nothing listens. */
  get(place: string): Promise<string | undefined>;
  end(): Promise<void>;
}

export async function startDevLoop(workspace = copyWorkspace()): Promise<DevLoop> {
  const port = await freePort();
  const process = spawn('npm', ['run', 'dev', '--', '--port', String(port)], {
    cwd: workspace.folder,
    env: { ...global.process.env, DATA_DIR: workspace.file('.data'), FORCE_COLOR: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // In a group of its own, as a terminal starts it.
    detached: true,
  });
  // Everything that it starts holds its output.
  const closed = once(process, 'close');
  let output = '';
  for (const stream of [process.stdout, process.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));

  const loop: DevLoop = {
    process,
    closed,
    file: workspace.file,
    edit: workspace.edit,
    async says(text, act) {
      if (act) output = '';
      await act?.();
      await until(() => output.includes(text)).catch((error: unknown) => {
        throw new Error(`not said: ${text}; but: ${output}`, { cause: error });
      });
      return output;
    },
    get: (place) =>
      fetch(`http://127.0.0.1:${port}${place}`).then(
        (response) => response.text(),
        () => undefined,
      ),
    async end() {
      process.kill('SIGKILL');
      await closed;
    },
  };
  await loop.says('"listening"');
  return loop;
}
