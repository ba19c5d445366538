// The type check of `npm run dev`, beside everything else.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { text } from 'node:stream/consumers';

const COMPILER = ['scripts/tsc.mjs', '-p', '.', '--pretty', 'false'];
/** How the compiler says where. */
const PLACE = /^(?:(.+)\((\d+),(\d+)\): )?error TS\d+: /;

let compiler: ChildProcess | undefined;

/** What is wrong in the workspace at `root`, a mistake each; undefined where it was asked again meanwhile. */
export async function typecheck(root: string): Promise<string[] | undefined> {
  endTypecheck();
  // In a group of its own, because what compiles is a child of this child.
  const mine = spawn(process.execPath, COMPILER, {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  compiler = mine;
  // The server comes first.
  if (mine.pid) setPriority(mine.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const [said] = await Promise.all([text(mine.stdout), once(mine, 'exit')]);
  if (compiler !== mine) return undefined;
  compiler = undefined;
  const found = said.split(/\n(?!\s)/).flatMap((each) => placed(each.trimEnd()) || []);
  if (mine.exitCode !== 0 && found.length === 0)
    return ['the type check failed; it starts again after a change'];
  // The compiler goes on without settings that it cannot read, and then everything is wrong.
  const settings = found.filter((each) => /^tsconfig\S*\.json:/.test(each));
  return settings.length > 0 ? settings : found;
}

function placed(mistake: string): string {
  return mistake.replace(PLACE, (_, file?: string, line?: string, column?: string) =>
    file ? `${file}:${line}:${column}: ` : '',
  );
}

export function endTypecheck(): void {
  if (compiler?.pid && compiler.exitCode === null) process.kill(-compiler.pid, 'SIGKILL');
  compiler = undefined;
}
