import { TERMINAL } from '../command.ts';
import { root } from '../workspace.ts';
import { run } from './run.ts';

process.exitCode = await run({ ...TERMINAL, root, today: new Date().toISOString().slice(0, 10) });
