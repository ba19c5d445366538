// `npm run fuzz`: holds the service against its contract for as long as you like.
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { operations } from '@petstore/contract';
import { describeFailure, fuzz, type Failure } from './fuzz.ts';
import { startTarget } from './target.ts';

const HELP = `Usage: npm run fuzz [-- options]

Makes requests from the contract, valid ones, odd ones and wrong ones, sends them to a service of its own
over HTTP, and holds every answer against the contract.

  --seed N      makes the same requests again (default: a new seed each time)
  --runs N      requests of each operation in a round (default: 2000)
  --only ID     requests of one operation alone, by its operationId
  --minutes M   goes on with further rounds, a seed higher each, until M minutes are over (default: one round)
  --hold        after a failure, keeps the service up until Ctrl-C, so that the curl lines can be tried
  --help        shows this

Exit codes: 0 nothing was found, 1 something was, 2 called wrongly.
`;

interface Options {
  readonly seed: number;
  readonly runs: number;
  readonly only: string | undefined;
  readonly minutes: number;
  readonly hold: boolean;
}

class UsageError extends Error {}

function optionsIn(args: readonly string[]): Options | 'help' {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        seed: { type: 'string' },
        runs: { type: 'string' },
        only: { type: 'string' },
        minutes: { type: 'string' },
        hold: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help) return 'help';
    return {
      seed: numberFrom('--seed', values.seed, /^\d{1,9}$/) ?? Math.floor(Math.random() * 1e9),
      runs: numberFrom('--runs', values.runs, /^[1-9]\d{0,8}$/) ?? 2000,
      only: operationFrom('--only', values.only),
      minutes: numberFrom('--minutes', values.minutes, /^\d{1,6}(\.\d+)?$/) ?? 0,
      hold: values.hold ?? false,
    };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function numberFrom(name: string, text: string | undefined, shape: RegExp): number | undefined {
  if (text === undefined) return undefined;
  if (!shape.test(text)) throw new UsageError(`${name} cannot be '${text}'`);
  return Number(text);
}

function operationFrom(name: string, text: string | undefined): string | undefined {
  if (text === undefined || text in operations) return text;
  throw new UsageError(`${name} must be one of ${Object.keys(operations).join(', ')}`);
}

async function run({ seed, runs, only, minutes, hold }: Options): Promise<number> {
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  const target = await startTarget();
  console.log(
    `seed ${seed}, ${runs} requests of ${only ?? 'each operation'}${minutes > 0 ? `, for ${minutes} minutes` : ''}`,
  );
  const started = performance.now();
  const deadline = started + minutes * 60_000;
  const options = { runs, only, signal: interrupted.signal };
  let report = await fuzz(target, { ...options, seed });
  for (let round = 1; isToGoOn(report.failures, interrupted.signal, deadline); round += 1) {
    report = await fuzz(target, { ...options, seed: seed + round, coverage: report.coverage });
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`Done after ${seconds} s.`);
  console.log(report.coverage.table());
  for (const failure of report.failures) console.error(`\n${describeFailure(failure)}`);
  if (report.failures.length > 0) {
    console.error(`\nTo make them again: npm run fuzz -- --seed ${report.seed} --runs ${runs} --hold`);
    if (hold) await held(target.origin);
  }
  await target.stop();
  rmSync(target.dataDir, { recursive: true });
  return report.failures.length > 0 ? 1 : 0;
}

function isToGoOn(failures: readonly Failure[], signal: AbortSignal, deadline: number): boolean {
  return failures.length === 0 && !signal.aborted && performance.now() < deadline;
}

async function held(origin: string): Promise<void> {
  console.error(`The service stays at ${origin} until Ctrl-C.`);
  await new Promise<void>((resolve) => {
    const alive = setInterval(() => undefined, 1_000_000);
    process.once('SIGINT', () => {
      clearInterval(alive);
      resolve();
    });
  });
}

try {
  const options = optionsIn(process.argv.slice(2));
  if (options === 'help') process.stdout.write(HELP);
  else process.exitCode = await run(options);
} catch (error) {
  const isUsage = error instanceof UsageError;
  console.error(isUsage ? `${error.message}\n\n${HELP}` : error);
  process.exitCode = isUsage ? 2 : 1;
}
