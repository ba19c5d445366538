import type { ClientReport } from '../../probes/client.ts';
import type { Bench } from '../bench.ts';
import { checkConformance } from '../conformance.ts';
import { createData } from '../data.ts';
import { runProbe } from '../probe.ts';
import { startRaw } from '../raw.ts';
import { atMost, type PartResult, type Table } from '../result.ts';
import { startPetstore } from '../server.ts';
import { formatRatio, formatSpread, ratioOf, spreadOf } from '../statistics.ts';
import type { Part } from './part.ts';

const OURS = '@petstore/client';
const PEER = 'openapi-fetch';
const BARE = 'fetch';
const MOST = 1.1;

/** What a call costs the client. */
export const client: Part = {
  name: 'client',
  about: 'the client against bare fetch and openapi-fetch',
  async run(bench: Bench): Promise<PartResult> {
    const title = 'Client: time per call';
    bench.progress.step(title);
    const data = await createData(bench, 10);
    const service = await startPetstore(bench, data);
    // The server takes as little time as possible, on the other core.
    const exchanged = await checkConformance(service.name, service.origin, data);
    const { origin } = await startRaw(bench, exchanged, 'node:http', 'load');
    const report = await runProbe<ClientReport>(bench, 'client', [
      origin,
      data.key,
      String(6 * bench.rounds),
    ]);
    const of = (times: ClientReport['serial'], name: string) => times[name] ?? [];
    const ratio = (times: ClientReport['serial'], to: string) => ratioOf(of(times, OURS), of(times, to));
    return {
      title,
      tables: [tableOf('one after the other', report.serial), tableOf('16 at once', report.concurrent)],
      notes: [
        'List of 10 orders from node:http, which sends what the service sends. All three have a time-out of 30 s.',
      ],
      claims: [
        atMost('client, one after the other', MOST, `× ${PEER}`, ratio(report.serial, PEER)),
        atMost('client, 16 at once', MOST, `× ${PEER}`, ratio(report.concurrent, PEER)),
      ],
    };
  },
};

function tableOf(how: string, times: ClientReport['serial']): Table {
  return {
    head: [how, 'µs per call', `of ${BARE}`],
    rows: Object.entries(times).map(([name, values]) => [
      name,
      formatSpread(spreadOf(values)),
      formatSpread(ratioOf(values, times[BARE] ?? []), formatRatio),
    ]),
  };
}
