import { root } from '../workspace.ts';
import { run } from './run.ts';

process.exitCode = await run(process.argv.slice(2), {
  root,
  today: new Date().toISOString().slice(0, 10),
  out: (text) => console.log(text),
  err: (text) => console.error(text),
});
