// `npm run bench`.
import { inspect, parseArgs } from 'node:util';
import { compareWith, hasPassed } from './against.ts';
import { options, planOf, USAGE, type Plan } from './arguments.ts';
import { measureCatalogue } from './catalogue.ts';
import { catalogueRows } from './catalogue-rows.ts';
import { measureClient } from './client.ts';
import { measureEdges } from './edges.ts';
import { BenchError, UsageError } from './errors.ts';
import { measureGenerate } from './generate.ts';
import { leaveServerCore } from './machine.ts';
import { measureOperations } from './operations.ts';
import { prepare } from './prepare.ts';
import { sectionText, writeResults, type Section } from './report.ts';
import { measureRequests } from './requests.ts';
import { rows } from './rows.ts';
import { attempt, createRun, type Run, type Stops } from './run.ts';
import { measureStart } from './start.ts';

async function measure(run: Run, isWanted: Plan['isWanted']): Promise<Section[]> {
  const sections: Section[] = [];
  const add = async (name: string, section: (stops: Stops) => Promise<Section>) => {
    const measured = await attempt(run, name, section);
    if (!measured) return;
    sections.push(measured);
    console.log(await sectionText(measured));
  };
  const wanted = rows.filter(({ name }) => isWanted(name));
  if (wanted.length > 0) await add('requests', () => measureRequests(run, wanted));
  const ofCatalogue = catalogueRows.filter(({ name }) => isWanted(name));
  if (ofCatalogue.length > 0) await add('catalogue', () => measureCatalogue(run, ofCatalogue));
  if (isWanted('operations')) await add('operations', () => measureOperations(run));
  if (isWanted('start')) await add('start', () => measureStart(run));
  if (isWanted('client')) await add('client', (stops) => measureClient(run, stops));
  if (isWanted('edges')) await add('edges', () => Promise.resolve(measureEdges()));
  if (isWanted('generate')) await add('generate', () => measureGenerate(run));
  return sections;
}

/** Resolves to the exit code. */
async function bench(args: string[]): Promise<number> {
  const { values, positionals: names } = parseArgs({ args, options, allowPositionals: true });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const { isWanted, against, ...settings } = planOf(values, names);
  // Ends the servers and deletes the data, which happens when the process exits.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
  prepare();
  leaveServerCore();
  const run = createRun(settings);
  if (against !== undefined) {
    const section = await compareWith(run, against, isWanted);
    console.log(await sectionText(section));
    return hasPassed(section) && run.failures.length === 0 ? 0 : 1;
  }
  const sections = await measure(run, isWanted);
  if (names.length === 0) await writeResults(run, sections);
  return run.failures.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await bench(process.argv.slice(2));
} catch (error) {
  const { code } = error as NodeJS.ErrnoException;
  const isUsage = error instanceof UsageError || /^ERR_PARSE_ARGS/.test(code ?? '');
  if (isUsage) console.error(`${(error as Error).message}\n\n${USAGE}`);
  else console.error(error instanceof BenchError ? error.message : inspect(error));
  process.exitCode = isUsage ? 2 : 1;
}
