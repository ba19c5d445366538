import type { Part } from '../bench.ts';
import { bearer, createData, LIST, SHIPPED_ID, type Data } from '../data.ts';
import { atLeastAsFast, disturbanceNote, speedRatio, throughputTable, type Claim } from '../result.ts';
import { measure, underLoad, type HttpLoad, type Measured } from '../rounds.ts';
import { OURS, RAW, startContestants, type Contestants } from '../server.ts';

interface SameForAll {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly count: number;
  readonly contestants?: Contestants;
  readonly notes?: readonly string[];
  readonly load: (data: Data) => HttpLoad;
  readonly claims: (measured: readonly Measured[]) => Claim[];
}

/** One kind of request, sent to ours and the peers. */
function loadOf({ name, title, about, count, contestants, notes = [], load, claims }: SameForAll): Part {
  return {
    name,
    about,
    async run(bench) {
      const data = await createData(bench, count);
      const servers = await startContestants(bench, data, contestants);
      const subjects = servers.map((server) => underLoad(bench, server, load(data)));
      const measured = await measure(bench, title, subjects);
      return {
        title,
        tables: [throughputTable(measured, RAW)],
        notes: [...notes, ...disturbanceNote(measured)],
        claims: claims(measured),
        bars: measured
          .filter((each) => each.name !== RAW)
          .map((each) => ({ name: each.name, ratio: speedRatio(measured, each.name, RAW) })),
      };
    },
  };
}

function list(count: number, targets: Readonly<Record<string, number>>): Part {
  const subject = `list of ${count.toLocaleString('en-US')}`;
  return loadOf({
    name: `list-${count}`,
    title: `L${subject.slice(1)} orders`,
    about: `${subject} orders, ours and the peers`,
    count,
    contestants: { notRemembered: true },
    load: ({ key }) => ({ method: 'GET', target: LIST, headers: bearer(key), outcome: 'success' }),
    claims: (measured) =>
      Object.entries(targets).map(([name, target]) => atLeastAsFast(subject, target, measured, [OURS, name])),
  });
}

/** Refusals: ≥ 3 × Express, and ≥ 0.9 × the better of the others. */
function refusal(options: Omit<SameForAll, 'count' | 'claims'>): Part {
  return loadOf({
    ...options,
    count: 10,
    claims(measured) {
      const of = (peer: string) => speedRatio(measured, OURS, peer).median;
      const better = of('fastify') < of('hono') ? 'fastify' : 'hono';
      return [
        atLeastAsFast(options.title, 3, measured, [OURS, 'express']),
        atLeastAsFast(
          options.title,
          0.9,
          measured,
          [OURS, better],
          `the better of fastify and hono (${better})`,
        ),
      ];
    },
  });
}

/** Ours grants each address 60 requests a minute: enough of them that none is refused with 429. */
const ADDRESSES = 15_000;

export const lists: Part[] = [
  list(10, { [RAW]: 0.45, express: 3.5, fastify: 1, hono: 1 }),
  list(100, { [RAW]: 0.4, express: 5, fastify: 2, hono: 2 }),
  list(10_000, { [RAW]: 0.6 }),
];

export const refusals: Part[] = [
  refusal({
    name: 'cancel-409',
    title: 'Cancel of a shipped order: 409',
    about: 'cancel of an order that has shipped',
    load: ({ key }) => ({
      method: 'DELETE',
      target: `${LIST}/${SHIPPED_ID}`,
      headers: bearer(key),
      outcome: 'failure',
    }),
  }),
  refusal({
    name: 'unauthorized-401',
    title: 'No key: 401',
    about: 'a list without a key, from many addresses',
    contestants: { trustProxy: true },
    notes: [
      `The requests come from ${ADDRESSES.toLocaleString('en-US')} addresses in turn, in X-Forwarded-For, because each may make 60 a minute; every server trusts that header here.`,
    ],
    load: () => ({ method: 'GET', target: LIST, headers: {}, addresses: ADDRESSES, outcome: 'failure' }),
  }),
  refusal({
    name: 'limit-429',
    title: 'Quota used up: 429',
    about: 'a list with a key whose quota per day is used up',
    load: ({ exhausted }) => ({
      method: 'GET',
      target: LIST,
      headers: bearer(exhausted),
      outcome: 'failure',
    }),
  }),
];
