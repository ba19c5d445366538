import type { Bench } from '../bench.ts';
import { copyData, createData, MISSING_ID } from '../data.ts';
import { exchange, type Asked } from '../exchange.ts';
import { readLongList, warmUp } from '../long-list.ts';
import { startRaw } from '../raw.ts';
import { disturbanceNote, throughputTable, type Claim, type PartResult, type Table } from '../result.ts';
import { measure, underLoad } from '../rounds.ts';
import { startPetstore } from '../server.ts';
import { format } from '../statistics.ts';
import type { Part } from './part.ts';

const LIST = '/v1/store/orders';
const GZIP = { 'Accept-Encoding': 'gzip' };
const RAW = 'node:http, plain';

/** Long lists for clients that take them compressed. */
export const compression: Part = {
  name: 'compression',
  about: 'lists of 10,000 and 1,000,000 with Accept-Encoding: gzip',
  async run(bench: Bench): Promise<PartResult> {
    const title = 'Compression';
    bench.progress.step(`${title}: writing the orders`);
    const data = await createData(bench, 10_000);
    const plain = { Authorization: `Bearer ${data.key}` };
    const list = (headers: Record<string, string>): Asked => ({ method: 'GET', target: LIST, headers });
    const server = await startPetstore(bench, copyData(data, 'served'));
    const asked = [list(plain), list({ ...plain, ...GZIP })];
    const [whole, small] = await Promise.all(asked.map((each) => exchange(server.origin, each)));
    const tiny = await exchange(server.origin, {
      method: 'DELETE',
      target: `${LIST}/${MISSING_ID}`,
      headers: { ...plain, ...GZIP },
    });
    if (!whole || !small) throw new Error('the list was not answered');

    const isCompressed = small.headers['content-encoding'] === 'gzip';
    const subject = (of: typeof server, name: string, headers: Record<string, string>) => ({
      ...underLoad(bench, of, { method: 'GET', target: LIST, headers, outcome: 'success' }),
      name,
    });
    const measured = await measure(bench, title, [
      subject(await startRaw(bench, [{ asked: list(plain), answered: whole }], RAW), RAW, plain),
      subject(
        await startRaw(bench, [{ asked: list(plain), answered: small }], 'node:http, gzip'),
        'node:http, gzip',
        plain,
      ),
      subject(server, 'petstore, plain', plain),
      subject(server, 'petstore, gzip', { ...plain, ...GZIP }),
    ]);
    return {
      title,
      tables: [throughputTable(measured, RAW), await millionTable(bench)],
      notes: [
        `The list of 10,000 has ${whole.body.length.toLocaleString('en-US')} bytes, with gzip ${small.body.length.toLocaleString('en-US')}.`,
        ...disturbanceNote(measured),
      ],
      claims: [
        claim('list of 10,000 with Accept-Encoding: gzip', 'goes out compressed', isCompressed),
        claim(
          'error of 100 bytes with Accept-Encoding: gzip',
          'goes out as it is',
          tiny.headers['content-encoding'] === undefined,
        ),
      ],
    };
  },
};

async function millionTable(bench: Bench): Promise<Table> {
  bench.progress.step('Compression: a million orders');
  const data = await createData(bench, 1_000_000);
  const server = await startPetstore(bench, data);
  const headers = { Authorization: `Bearer ${data.key}` };
  await warmUp(server, headers);
  const rows: string[][] = [];
  for (const [name, more] of [
    ['plain', {}],
    ['gzip', GZIP],
  ] as const) {
    const { time, bytes, encoding, extraMemory, loopDelay } = await readLongList(server, {
      ...headers,
      ...more,
    });
    rows.push([
      `1,000,000 orders, ${name}`,
      encoding ?? 'none',
      format(time),
      format(bytes / 1e6),
      extraMemory === undefined ? '–' : format(extraMemory / 1e6),
      loopDelay === undefined ? '–' : format(loopDelay),
    ]);
  }
  return { head: ['', 'encoding', 'time ms', 'MB sent', 'extra memory MB', 'loop delay p99 ms'], rows };
}

function claim(subject: string, target: string, met: boolean): Claim {
  return { subject, target, measured: met ? 'it does' : 'it does not', met };
}
