import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { ClientReport } from '../../probes/client.ts';
import type { Part } from '../part.ts';
import { sizeOf } from '../bundle.ts';
import { runCommand, runProbe } from '../command.ts';
import { checkConformance } from '../conformance.ts';
import { createData } from '../data.ts';
import { profileOfRun } from '../profile.ts';
import { atMost } from '../result.ts';
import { RAW, root, startPetstore, startRaw } from '../server.ts';
import { format, formatRatio, formatSpread, ratioOf, spreadOf } from '../statistics.ts';

const OURS = '@petstore/client';
const PEER = 'openapi-fetch';
const BARE = 'fetch';

/** What a call costs the client. */
export const client: Part = {
  name: 'client',
  about: 'the client against bare fetch and openapi-fetch',
  async run(bench) {
    const title = 'Client: CPU time per call';
    bench.step(title);
    const data = await createData(bench, 10);
    const service = await startPetstore(bench, data);
    // The server takes as little time as possible, on the other core.
    const exchanged = await checkConformance(service.name, service.origin, data);
    const { origin } = await startRaw(bench, exchanged, RAW, 'load');
    const args = [origin, data.key, String(6 * bench.rounds)];
    const report = await runProbe<ClientReport>(bench, 'client', args);
    const ways = Object.entries({
      'one after the other': report.serial,
      '16 at once': report.concurrent,
    });
    const claims = ways.map(([how, times]) =>
      atMost(`client, ${how}`, 1.1, `× ${PEER}`, ratioOf(times[OURS] ?? [], times[PEER] ?? [])),
    );
    const tables = ways.map(([how, times]) => ({
      head: [how, 'CPU µs per call', `of ${BARE}`],
      rows: Object.entries(times).map(([name, values]) => [
        name,
        formatSpread(spreadOf(values)),
        formatSpread(ratioOf(values, times[BARE] ?? []), formatRatio),
      ]),
    }));
    // Ours alone.
    const again = (node: readonly string[]) => runProbe(bench, 'client', [...args, OURS], node);
    return {
      title,
      tables: [...tables, ...(await profileOfRun(bench, claims, again))],
      notes: [
        'List of 10 orders from node:http, which sends what the service sends. All three have a time-out of 30 s, and a process of their own.',
      ],
      claims,
    };
  },
};

/** What the client adds to a page. */
export const clientSize: Part = {
  name: 'client-size',
  about: 'size of the client against other clients, minified and compressed',
  async run(bench) {
    const title = 'Client: size';
    bench.step(`${title}: generating the others`);
    const contract = path.join(root, 'openapi.yaml');
    const redocly = path.join(bench.folder, 'redocly/client.ts');
    const heyApi = path.join(bench.folder, 'hey-api');
    mkdirSync(path.dirname(redocly));
    await runCommand(bench, 'redocly', ['generate-client', contract, '--output', redocly]);
    const how = ['--client', '@hey-api/client-fetch', '--no-log-file', '--silent'];
    await runCommand(bench, 'openapi-ts', ['--input', contract, '--output', heyApi, ...how]);
    const methods = 'listOrders, cancelOrder, getPet';
    const sources = {
      [OURS]: `export { createPetstore } from '@petstore/client';`,
      'openapi-fetch, without the operations': `export { default } from 'openapi-fetch';`,
      'ky, without the operations': `export { default } from 'ky';`,
      'axios, without the operations': `export { default } from 'axios';`,
      "Redocly's generated client": `export { client, ${methods} } from ${JSON.stringify(redocly)};`,
      "hey-api's generated client": `export { client } from ${JSON.stringify(`${heyApi}/client.gen.ts`)}; export { ${methods} } from ${JSON.stringify(`${heyApi}/sdk.gen.ts`)};`,
    };
    const rows: string[][] = [];
    let ours = Number.NaN;
    for (const [name, contents] of Object.entries(sources)) {
      const { minified, compressed } = await sizeOf(contents, path.join(root, 'bench'));
      if (name === OURS) ours = compressed;
      rows.push([name, compressed, minified].map((cell) => cell.toLocaleString('en-US')));
    }
    return {
      title,
      tables: [{ head: ['', 'bytes, minified and compressed', 'bytes, minified'], rows }],
      notes: [
        'Bundled by esbuild for browsers, compressed by gzip -9, with everything that each is built on.',
        'Ours alone paces itself, and holds input and replies against the contract.',
      ],
      claims: [
        {
          subject: 'client: size',
          target: '≤ 5.5 kB',
          measured: `${format(ours)} bytes`,
          met: ours <= 5_500,
        },
      ],
    };
  },
};
