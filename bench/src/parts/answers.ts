import type { Bench } from '../bench.ts';
import { createData, SHIPPED_ID, type Data } from '../data.ts';
import {
  atLeastAsFast,
  disturbanceNote,
  speedRatio,
  throughputTable,
  type Claim,
  type PartResult,
} from '../result.ts';
import { measure, underLoad, type HttpLoad, type Measured } from '../rounds.ts';
import type { Settings } from '../server.ts';
import type { Part } from './part.ts';
import { OURS, RAW, ratioBars, startContestants } from './servers.ts';

interface Answer {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly settings?: Settings;
  readonly notes?: readonly string[];
  readonly load: (data: Data) => HttpLoad;
}

function answer({ name, title, about, settings, notes = [], load }: Answer): Part {
  return {
    name,
    about,
    async run(bench: Bench): Promise<PartResult> {
      const data = await createData(bench, 10);
      const servers = await startContestants(bench, data, settings);
      const measured = await measure(
        bench,
        title,
        servers.map((server) => underLoad(bench, server, load(data))),
      );
      return {
        title,
        tables: [throughputTable(measured, RAW)],
        notes: [...notes, ...disturbanceNote(measured)],
        claims: refusalClaims(title, measured),
        bars: ratioBars(measured),
      };
    },
  };
}

/** ≥ 3 × Express, and ≥ 0.9 × the better of the others. */
function refusalClaims(title: string, measured: readonly Measured[]): Claim[] {
  const better =
    speedRatio(measured, OURS, 'fastify').median < speedRatio(measured, OURS, 'hono').median
      ? 'fastify'
      : 'hono';
  return [
    atLeastAsFast(title, 3, measured, [OURS, 'express']),
    atLeastAsFast(title, 0.9, measured, [OURS, better], `the better of fastify and hono (${better})`),
  ];
}

const LIST = '/v1/store/orders';
/** Ours grants each address 60 requests a minute: enough of them that none is refused with 429. */
const ADDRESSES = 15_000;

export const answers: Part[] = [
  answer({
    name: 'cancel-409',
    title: 'Cancel of a shipped order: 409',
    about: 'cancel of an order that has shipped',
    load: ({ key }) => ({
      method: 'DELETE',
      target: `${LIST}/${SHIPPED_ID}`,
      headers: { Authorization: `Bearer ${key}` },
      outcome: 'failure',
    }),
  }),
  answer({
    name: 'unauthorized-401',
    title: 'No key: 401',
    about: 'a list without a key, from many addresses',
    settings: { trustProxy: true },
    notes: [
      `The requests come from ${ADDRESSES.toLocaleString('en-US')} addresses in turn, in X-Forwarded-For, because each may make 60 a minute; every server trusts that header here.`,
    ],
    load: () => ({
      method: 'GET',
      target: LIST,
      headers: {},
      addresses: ADDRESSES,
      outcome: 'failure',
    }),
  }),
  answer({
    name: 'limit-429',
    title: 'Quota used up: 429',
    about: 'a list with a key whose quota per day is used up',
    load: ({ exhausted }) => ({
      method: 'GET',
      target: LIST,
      headers: { Authorization: `Bearer ${exhausted}` },
      outcome: 'failure',
    }),
  }),
];
