import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Bench } from '../bench.ts';
import type { Part } from '../part.ts';
import { sizeOf } from '../bundle.ts';
import { outputOf, runCommand } from '../command.ts';
import { checkConformance } from '../conformance.ts';
import { bearer, copyData, createData, LIST, SHIPPED_ID } from '../data.ts';
import { exchange } from '../exchange.ts';
import { addOperations } from '../more-operations.ts';
import { atMost, cpuRatio, disturbanceNote, throughputTable } from '../result.ts';
import { profileOfLoad } from '../profile.ts';
import { measure, underLoad } from '../rounds.ts';
import { peers, startPeer, startPetstore, type Server } from '../server.ts';
import { format, formatSpread, spreadOf, type Spread } from '../statistics.ts';
import { copyWorkspace } from '../workspace.ts';
import { againstTheBetter } from './loads.ts';
import { measureStarts } from './start.ts';

const TYPECHECK = {
  extends: './tsconfig.json',
  compilerOptions: { incremental: false, tsBuildInfoFile: null },
  include: ['apps/server/src', 'packages/client/src', 'packages/contract/src', 'scripts/calls.ts'],
};

/** The product with a contract of its own. */
interface Copy {
  /** How many operations its contract has. */
  readonly operations: number;
  readonly name: string;
  readonly workspace: string;
}

/** A copy of the product with so many resources more, of five operations each; each has a handler and a call. */
function copyWith(bench: Bench, resources: number): Copy {
  const workspace = copyWorkspace(bench);
  addOperations(workspace, resources);
  writeFileSync(workspace.file('tsconfig.bench.json'), JSON.stringify(TYPECHECK));
  const operations = 3 + 5 * resources;
  return { operations, name: `petstore, ${operations} operations`, workspace: workspace.folder };
}

const generate = (bench: Bench, { workspace }: Copy) =>
  runCommand(bench, 'npm', ['run', 'generate'], workspace);

async function buildServer(bench: Bench, { workspace }: Copy): Promise<void> {
  for (const part of ['packages/contract', 'apps/server'])
    await runCommand(bench, 'npm', ['run', 'build'], path.join(workspace, part));
}

interface Types {
  readonly instantiations: number;
  readonly milliseconds: number;
}

/** What the compiler does for the whole server, all handlers, the client and a call of each operation. */
async function checkTypes(bench: Bench, { workspace }: Copy): Promise<Types> {
  const report = await outputOf(
    bench,
    'tsc',
    ['-p', 'tsconfig.bench.json', '--extendedDiagnostics'],
    workspace,
  );
  const figure = (name: string) => Number(new RegExp(`^${name}: +([\\d.]+)`, 'm').exec(report)?.[1]);
  return { instantiations: figure('Instantiations'), milliseconds: figure('Check time') * 1000 };
}

async function sizeOfClient({ workspace }: Copy): Promise<number> {
  const all = "export { createPetstore } from '@petstore/client';";
  return (await sizeOf(all, path.join(workspace, 'scripts'), ['@petstore/source'])).compressed;
}

/** What the second step costs of what the first does: 1 where a figure grows in proportion to the operations. */
function growth([few = [], some = [], many = []]: readonly (readonly number[])[]): Spread {
  return spreadOf(
    many.map((value, round) => {
      const middle = some[round] ?? Number.NaN;
      return (value - middle) / (middle - (few[round] ?? Number.NaN));
    }),
  );
}

const claimGrowth = (subject: string, target: number, values: readonly (readonly number[])[]) =>
  atMost(`${subject}, the second 50 operations`, target, '× the first 50', growth(values));

/** 2 kB for an operation that was added. */
const BODY = JSON.stringify({
  name: 'A thing',
  status: 'open',
  count: 7,
  at: '2026-11-01T09:00:00.000Z',
  labels: Array.from({ length: 150 }, (_, index) => `label ${1_000 + index}`),
});

/** What a longer contract costs those who change it, those who install the client, and each request. */
export const operations: Part = {
  name: 'operations',
  about: 'contracts of 3, 53 and 103 operations: generate, types, client, start, requests',
  async run(bench) {
    const title = 'Contracts of 3, 53 and 103 operations';
    // Equal steps, so that growth can be seen.
    const copies = [0, 10, 20].map((resources) => copyWith(bench, resources));
    const [short, , long] = copies;
    if (!short || !long) throw new Error('there is nothing to compare');

    const generated: number[][] = copies.map(() => []);
    for (let round = 0; round <= bench.rounds; round += 1) {
      bench.step(`${title}: generate, round ${round} of ${bench.rounds}`);
      for (const [index, copy] of copies.entries()) {
        const time = await generate(bench, copy);
        // The first round writes the files; the others find them up to date.
        if (round > 0) generated[index]?.push(time);
      }
    }
    const types: Types[] = [];
    const sizes: number[] = [];
    for (const copy of copies) {
      bench.step(`${title}: types, client and service of ${copy.name}`);
      types.push(await checkTypes(bench, copy));
      sizes.push(await sizeOfClient(copy));
      await buildServer(bench, copy);
    }

    const data = await createData(bench, 10);
    const own = copyData(data, 'own');
    const [expressLong, fastifyLong, honoLong] = peers.map(
      (peer) => `${peer}, ${long.operations} operations`,
    );
    if (!expressLong || !fastifyLong || !honoLong) throw new Error('there is no peer');
    const starts = await measureStarts(bench, title, {
      ...Object.fromEntries(copies.map((copy) => [copy.name, () => startPetstore(bench, own, copy)])),
      'express, 3 operations': () => startPeer(bench, 'express', data),
      [expressLong]: () => startPeer(bench, 'express', data, long),
    });

    const fast = [long.name, fastifyLong, honoLong] as const;
    const servers: Server[] = [];
    for (const copy of copies)
      servers.push(await startPetstore(bench, copyData(data, copy.name), { ...copy, canProfile: true }));
    const added = { method: 'GET', target: '/v1/thing7/7', headers: bearer(data.key) };
    const { status } = await exchange(servers.at(-1)?.origin ?? '', added);
    if (status !== 200) throw new Error(`the added operations are not served: ${status}`);
    servers.push(
      await startPeer(bench, 'express', copyData(data, 'peer-short'), { name: 'express, 3 operations' }),
      await startPeer(bench, 'express', copyData(data, 'peer-long'), { ...long, name: expressLong }),
      await startPeer(bench, 'fastify', copyData(data, 'fastify-long'), { ...long, name: fastifyLong }),
      await startPeer(bench, 'hono', copyData(data, 'hono-long'), { ...long, name: honoLong }),
    );
    for (const { name, origin } of servers) await checkConformance(name, origin, data);
    const cancel = { method: 'DELETE' as const, target: `${LIST}/${SHIPPED_ID}`, headers: bearer(data.key) };
    const cancelling = servers.map((server) => underLoad(bench, server, { ...cancel, outcome: 'failure' }));
    const measured = await measure(bench, title, cancelling);

    const post = { method: 'POST' as const, target: '/v1/thing7', headers: bearer(data.key), body: BODY };
    const posting = servers
      .filter(({ name }) => [long.name, expressLong, fastifyLong, honoLong].includes(name))
      .map((server) => underLoad(bench, server, { ...post, outcome: 'success' }));
    const posted = await measure(bench, `${title}, POST`, posting);

    const ofCancels = [
      againstTheBetter(`cancel, 409, ${long.operations} operations`, 1, measured, fast),
      atMost(
        `CPU per request, ${long.operations} operations`,
        1.1,
        '× that of 3',
        cpuRatio(measured, long.name, short.name),
      ),
    ];
    const ofPosts = [againstTheBetter('POST of 2 kB', 1, posted, fast)];

    return {
      title,
      tables: [
        {
          head: ['', 'generate, ms', 'type instantiations', 'type check, ms', 'client, bytes'],
          rows: copies.map(({ name }, index) => [
            name,
            formatSpread(spreadOf(generated[index] ?? [])),
            format(types[index]?.instantiations ?? Number.NaN),
            format(types[index]?.milliseconds ?? Number.NaN),
            format(sizes[index] ?? Number.NaN),
          ]),
        },
        starts.table,
        throughputTable(measured, short.name),
        ...(await profileOfLoad(bench, ofCancels, cancelling, long.name)),
        throughputTable(posted, long.name),
        ...(await profileOfLoad(bench, ofPosts, posting, long.name)),
      ],
      notes: [
        'Generate is the whole command as it is typed, npm included. Types are those of the server, all handlers, the client and a call of each operation. The client is minified and compressed by gzip -9. Requests are cancels that end in 409, and then a POST with a body of 2 kB that is validated and returned.',
        ...disturbanceNote(measured),
      ],
      claims: [
        claimGrowth('generate', 1.5, generated),
        claimGrowth(
          'type instantiations',
          1.1,
          types.map(({ instantiations }) => [instantiations]),
        ),
        claimGrowth(
          'size of the client',
          1.1,
          sizes.map((size) => [size]),
        ),
        claimGrowth(
          'start',
          1.5,
          copies.map(({ name }) => starts.times[name] ?? []),
        ),
        ...ofCancels,
        ...ofPosts,
      ],
    };
  },
};
