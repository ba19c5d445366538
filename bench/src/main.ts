import { helpText, readArguments, UsageError } from './arguments.ts';
import { withBench } from './bench.ts';
import { busyShare, leaveServerCore } from './machine.ts';
import { parts } from './parts/parts.ts';
import { createProgress } from './progress.ts';
import { printResult, printSummary } from './report/terminal.ts';
import { writeResults } from './report/results.ts';
import { serveContestants } from './serve.ts';
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
  const progress = createProgress();
  const { rounds, seconds } = wanted;
  if (wanted.serve !== undefined) {
    try {
      await serveContestants({ rounds, seconds, progress, signal: abort.signal }, wanted.serve);
    } catch (error) {
      if (!abort.signal.aborted) throw error;
    }
    return 0;
  }
  const results: PartResult[] = [];
  const failed: string[] = [];
  let busiest = 0;
  for (const part of parts) {
    if (wanted.names.length > 0 && !wanted.names.includes(part.name)) continue;
    try {
      progress.step(`${part.name}: is the machine free?`);
      const busy = await busyShare();
      const result = await withBench({ rounds, seconds, progress, signal: abort.signal }, (bench) =>
        part.run(bench),
      );
      progress.clear();
      results.push({ ...result, notes: [...(result.notes ?? []), ...busyNote(busy)] });
      busiest = Math.max(busiest, busy);
      printResult(results.at(-1) ?? result);
    } catch (error) {
      progress.clear();
      if (abort.signal.aborted) {
        console.error('bench: stopped');
        return 130;
      }
      const reason = error instanceof Error ? error.message : String(error);
      failed.push(`${part.name} failed: ${reason}`);
      console.error(`bench: ${failed.at(-1)}`);
    }
  }
  printSummary(results);
  if (wanted.write && results.length > 0) {
    const command = [
      'npm run bench',
      ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : []),
    ].join(' ');
    await writeResults(results, { rounds, seconds, command, date: new Date(), failed, busiest });
  }
  return failed.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`bench: ${error.message}`);
  process.exitCode = 2;
}
