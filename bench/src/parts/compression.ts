import type { Part } from '../part.ts';
import { bearer, copyData, createData, GZIP, LIST, MISSING_ID } from '../data.ts';
import { exchange } from '../exchange.ts';
import { disturbanceNote, throughputTable, type Claim } from '../result.ts';
import { measure, underLoad } from '../rounds.ts';
import { startPetstore, startRaw } from '../server.ts';
import { format } from '../statistics.ts';

/** Long lists for clients that take them compressed. */
export const compression: Part = {
  name: 'compression',
  about: 'list of 10,000 with Accept-Encoding: gzip',
  async run(bench) {
    const title = 'Compression';
    bench.step(`${title}: writing the orders`);
    const data = await createData(bench, 10_000);
    const headers = { plain: bearer(data.key), gzip: { ...bearer(data.key), ...GZIP } };
    const ours = await startPetstore(bench, copyData(data, 'served'));
    const ask = (how: keyof typeof headers, target = LIST, method = 'GET') =>
      exchange(ours.origin, { method, target, headers: headers[how] });
    const lists = { plain: await ask('plain'), gzip: await ask('gzip') };
    const error = await ask('gzip', `${LIST}/${MISSING_ID}`, 'DELETE');

    // node:http sends the same bytes whatever it is asked for.
    const asked = { method: 'GET', target: LIST, headers: headers.plain };
    const raw = (how: keyof typeof lists) =>
      startRaw(bench, [{ asked, answered: lists[how] }], `node:http, ${how}`);
    const load = (how: keyof typeof headers) =>
      ({ method: 'GET', target: LIST, headers: headers[how], outcome: 'success' }) as const;
    const plain = await raw('plain');
    const measured = await measure(bench, title, [
      underLoad(bench, plain, load('plain')),
      underLoad(bench, await raw('gzip'), load('plain')),
      underLoad(bench, { ...ours, name: 'petstore, plain' }, load('plain')),
      underLoad(bench, { ...ours, name: 'petstore, gzip' }, load('gzip')),
    ]);
    const bytes = (how: keyof typeof lists) => format(lists[how].body.length);
    return {
      title,
      tables: [throughputTable(measured, plain.name)],
      notes: [
        `The list of 10,000 has ${bytes('plain')} bytes, with gzip ${bytes('gzip')}.`,
        ...disturbanceNote(measured),
      ],
      claims: [
        claim('list of 10,000', 'goes out compressed', lists.gzip.headers['content-encoding'] === 'gzip'),
        claim('error of 100 bytes', 'goes out as it is', error.headers['content-encoding'] === undefined),
      ],
    };
  },
};

function claim(subject: string, target: string, met: boolean): Claim {
  const measured = met ? 'it does' : 'it does not';
  return { subject: `${subject} with Accept-Encoding: gzip`, target, measured, met };
}
