import { freePort } from '@petstore/local-stack';
import { startProcess, type Running } from './process.ts';
import { until } from './until.ts';
import { copyWorkspace, type Workspace } from './workspace.ts';

/** `npm run dev` in a copy of the workspace. It has ended when everything that it started has. */
export interface DevLoop extends Pick<Workspace, 'file' | 'edit'>, Pick<Running, 'child' | 'ended' | 'kill'> {
  /** Forgets what was said, does `act`, and resolves to all that is said until `text` is. */
  says(text: string, act?: () => unknown): Promise<string>;
  /** The text at `place` of the server; undefined where nothing listens. */
  get(place: string): Promise<string | undefined>;
}

export async function startDevLoop(workspace = copyWorkspace()): Promise<DevLoop> {
  const port = await freePort();
  const { child, output, ended, kill } = startProcess('npm', ['run', 'dev', '--', '--port', String(port)], {
    cwd: workspace.folder,
    env: { ...process.env, DATA_DIR: workspace.file('.data'), FORCE_COLOR: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // In a group of its own, as a terminal starts it.
    detached: true,
  });
  const said = () => output.stdout + output.stderr;

  const loop: DevLoop = {
    child,
    ended,
    kill,
    file: workspace.file,
    edit: workspace.edit,
    async says(text, act) {
      if (act) Object.assign(output, { stdout: '', stderr: '' });
      await act?.();
      await until(() => said().includes(text)).catch((error: unknown) => {
        throw new Error(`not said: ${text}; but: ${said()}`, { cause: error });
      });
      return said();
    },
    get: (place) =>
      fetch(`http://127.0.0.1:${port}${place}`).then(
        (response) => response.text(),
        () => undefined,
      ),
  };
  await loop.says('"listening"');
  return loop;
}
