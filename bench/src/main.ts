import { helpText, readArguments, UsageError } from './arguments.ts';
import { withBench } from './bench.ts';
import { busyShare, leaveServerCore } from './machine.ts';
import { parts } from './parts/parts.ts';
import { printResult, writeResults } from './report.ts';
import { busyNote, type PartResult } from './result.ts';

async function main(): Promise<number> {
  const wanted = readArguments(process.argv.slice(2), parts);
  if (wanted.help) {
    console.log(helpText(parts));
    return 0;
  }
  leaveServerCore();
  const abort = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => abort.abort(new Error(`stopped by ${signal}`)));
  const { rounds, seconds } = wanted;
  const results: PartResult[] = [];
  const failed: string[] = [];
  let busiest = 0;
  for (const part of parts) {
    if (wanted.names.length > 0 && !wanted.names.includes(part.name)) continue;
    try {
      step(`${part.name}: is the machine free?`);
      const busy = await busyShare();
      const options = { rounds, seconds, step, signal: abort.signal };
      const measured = await withBench(options, (bench) => part.run(bench));
      const result = { ...measured, notes: [...(measured.notes ?? []), ...busyNote(busy)] };
      results.push(result);
      busiest = Math.max(busiest, busy);
      await printResult(result);
    } catch (error) {
      if (abort.signal.aborted) {
        // What has been measured until then is not lost.
        failed.push(`${part.name} was stopped, and what follows it was not measured`);
        break;
      }
      failed.push(`${part.name} failed: ${error instanceof Error ? error.message : String(error)}`);
      console.error(`bench: ${failed.at(-1)}`);
    }
  }
  if (wanted.write && results.length > 0) {
    const args = process.argv.slice(2);
    const command = ['npm run bench', ...(args.length > 0 ? ['--', ...args] : [])].join(' ');
    await writeResults(results, { rounds, seconds, command, date: new Date(), failed, busiest });
  }
  if (abort.signal.aborted) return 130;
  return failed.length === 0 ? 0 : 1;
}

/** Minutes and seconds since the start, and what is going on. */
function step(text: string): void {
  const seconds = Math.floor(performance.now() / 1000);
  console.error(`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}  ${text}`);
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`bench: ${error.message}`);
  process.exitCode = 2;
}
