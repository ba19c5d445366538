import path from 'node:path';
import { compareWith, hasPassed } from './against.ts';
import { helpText, readArguments, UsageError } from './arguments.ts';
import { measureClient } from './client.ts';
import { measureGenerate } from './generate.ts';
import { leaveServerCore } from './machine.ts';
import { sectionText, writeResults, type Section } from './report.ts';
import { measureRequests } from './requests.ts';
import { rows } from './rows.ts';
import { attempt, createRun, type Run, type Stops } from './run.ts';
import { measureStart } from './start.ts';

async function main(): Promise<boolean> {
  const args = readArguments(process.argv.slice(2));
  if (args.help) {
    console.log(helpText);
    return true;
  }
  // Ends the servers and deletes the data, which happens when the process exits.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
  leaveServerCore();
  const run = createRun(args);
  const { names, against } = args;
  const isWanted = (name: string) => names.length === 0 || names.includes(name);
  if (against !== undefined) {
    const section = await compareWith(run, path.resolve(against), isWanted);
    console.log(sectionText(section));
    return hasPassed(section) && run.failures.length === 0;
  }
  const sections = await measure(run, isWanted);
  if (names.length === 0) writeResults(run, sections);
  return run.failures.length === 0;
}

async function measure(run: Run, isWanted: (name: string) => boolean): Promise<Section[]> {
  const sections: Section[] = [];
  const add = async (name: string, section: (stops: Stops) => Promise<Section>) => {
    const measured = await attempt(run, name, section);
    if (!measured) return;
    sections.push(measured);
    console.log(sectionText(measured));
  };
  const wanted = rows.filter(({ name }) => isWanted(name));
  if (wanted.length > 0) await add('requests', () => measureRequests(run, wanted));
  if (isWanted('start')) await add('start', () => measureStart(run));
  if (isWanted('client')) await add('client', (stops) => measureClient(run, stops));
  if (isWanted('generate')) await add('generate', () => measureGenerate(run));
  return sections;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`bench: ${error.message}`);
  process.exitCode = 2;
}
