import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Contract } from '@contract-kit/core';
import { readModel } from '@contract-kit/core/model';
import { routeFinder } from '@contract-kit/core/http';
import { buildCatalogue, startCatalogue } from './catalogue-servers.ts';
import { root } from './data.ts';
import { exchange } from './exchange.ts';
import type { Section } from './report.ts';
import { attempt, measureInRounds, type Run } from './run.ts';
import { format, formatSpread, spreadOf } from './statistics.ts';

/** How many operations the contracts have. */
const SIZES = [10, 100, 500, 2_000];
const LOOK_UPS = 200_000;
/** The most that a contract of so many operations may take at its start. */
const TARGET = { operations: 500, milliseconds: 5_000, megabytes: 300 };

/** What a contract costs as it grows. */
export async function measureOperations(run: Run): Promise<Section> {
  const lines: (readonly string[])[] = [];
  run.say('operations: making the contracts');
  buildCatalogue(root, SIZES);
  for (const size of SIZES) {
    const name = `operations-${size}`;
    const line = await attempt(run, name, async () => {
      const { start } = await measureInRounds({ ...run, rounds: Math.min(run.rounds, 3) }, name, {
        start: () => startOf(run, name),
      });
      const figures = (of: (sample: Awaited<ReturnType<typeof startOf>>) => number) => start.map(of);
      const times = figures(({ time }) => time);
      const memory = figures(({ memory }) => memory);
      return [
        name,
        formatSpread(times),
        formatSpread(figures(({ cpu }) => cpu)),
        formatSpread(memory),
        formatSpread(figures(({ first }) => first)),
        format(lookUpTime(name)),
        size === TARGET.operations ? verdict(times, memory) : '',
      ];
    });
    if (line) lines.push(line);
  }
  return {
    title: 'Size of the contract',
    note: 'The catalogue with copies of its operations, each on its own paths. "First" is the first request of an operation, "look-up" how long it takes to find the operation of a path, over all paths.',
    head: ['', 'start, ms', 'CPU of start, ms', 'memory, MB', 'first, ms', 'look-up, µs', 'target'],
    rows: lines,
  };
}

async function startOf(run: Run, name: string) {
  const { server } = await startCatalogue(run, name);
  const cpu = server.cpuTime() / 1_000;
  const memory = server.memory();
  const before = performance.now();
  await exchange(server.origin, { method: 'GET', target: '/v1/area-2/products?limit=3', headers: {} });
  const first = performance.now() - before;
  await server.stop();
  return { time: server.startTime, cpu, memory, first };
}

function lookUpTime(name: string): number {
  const file = path.join(root, 'bench/dist/catalogue', `${name}.value.json`);
  const { document, basePath } = JSON.parse(readFileSync(file, 'utf8')) as Contract;
  const { operations, operationOf } = readModel(document);
  const find = routeFinder(operationOf, basePath);
  const paths = operations.map(({ path }) => basePath + path.replace('{id}', 'a'));
  const before = process.cpuUsage();
  for (let index = 0; index < LOOK_UPS; index += 1) find(paths[index % paths.length] ?? '');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / LOOK_UPS;
}

function verdict(times: number[], memory: number[]): string {
  const isMet = spreadOf(times).median <= TARGET.milliseconds && spreadOf(memory).median <= TARGET.megabytes;
  return `≤ ${format(TARGET.milliseconds)} ms, ≤ ${TARGET.megabytes} MB: ${isMet ? 'met' : '**missed**'}`;
}
