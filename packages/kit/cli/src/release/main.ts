import type { Terminal } from '../command.ts';
import { root } from '../workspace.ts';
import { run } from './run.ts';

export const main = (terminal: Terminal) =>
  run({ ...terminal, root, today: new Date().toISOString().slice(0, 10) });
