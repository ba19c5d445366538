import { switches, type Switch } from '../../probes/switched-off.ts';
import type { Part } from '../part.ts';
import { bearer, copyData, createData, LIST, SHIPPED_ID, type Data } from '../data.ts';
import { profileOfLoad } from '../profile.ts';
import {
  atLeastAsFast,
  atMost,
  cpuOf,
  cpuRatio,
  disturbanceNote,
  named,
  speedRatio,
  throughputTable,
  type Claim,
} from '../result.ts';
import { measure, underLoad, type HttpLoad, type Measured } from '../rounds.ts';
import {
  NOT_REMEMBERED,
  OURS,
  RAW,
  startContestants,
  startPetstore,
  UNLOGGED,
  type Contestants,
} from '../server.ts';
import { format, formatRatio, formatSpread, spreadOf } from '../statistics.ts';

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

/** One kind of request, sent to ours and the peers; where ours misses a target, with its profile. */
function loadOf({ name, title, about, count, contestants, notes = [], load, claims }: SameForAll): Part {
  return {
    name,
    about,
    async run(bench) {
      const data = await createData(bench, count);
      const servers = await startContestants(bench, data, contestants);
      const subjects = servers.map((server) => underLoad(bench, server, load(data)));
      const measured = await measure(bench, title, subjects);
      const claimed = claims(measured);
      return {
        title,
        tables: [throughputTable(measured, RAW), ...(await profileOfLoad(bench, claimed, subjects))],
        notes: [...notes, ...disturbanceNote(measured)],
        claims: claimed,
        bars: measured
          .filter((each) => each.name !== RAW)
          .map((each) => ({ name: each.name, ratio: speedRatio(measured, each.name, RAW) })),
      };
    },
  };
}

/** Of how many orders, and what part of `node:http` is reached as the service ships; more for lists that are short. */
function list(count: number, ofRaw: number, more: SameForAll['claims'] = () => []): Part {
  const subject = `list of ${count.toLocaleString('en-US')}`;
  return loadOf({
    name: `list-${count}`,
    title: `L${subject.slice(1)} orders`,
    about: `${subject} orders, ours and the peers, each with its access log in a file`,
    count,
    contestants: { variants: true, accessLog: true },
    notes: [
      'Ours and the peers log each request. The list that is not remembered is one that changes before each look: no list is sent that was read before it was asked for.',
    ],
    load: ({ key }) => ({ method: 'GET', target: LIST, headers: bearer(key), outcome: 'success' }),
    claims: (measured) => [
      atLeastAsFast(`${subject}, as shipped`, ofRaw, measured, [OURS, RAW]),
      ...more(measured),
    ],
  });
}

const ofItself = (subject: string, measured: readonly Measured[]) =>
  atLeastAsFast(`${subject}, as shipped`, 0.9, measured, [OURS, UNLOGGED], 'itself without the access log');

/** That ours takes less CPU time than the better of the peers that are fast. */
export function againstTheBetter(
  subject: string,
  target: number,
  measured: readonly Measured[],
  [ours, a, b]: readonly [string, string, string] = [OURS, 'fastify', 'hono'],
): Claim {
  const of = (peer: string) => cpuRatio(measured, peer, ours).median;
  const better = of(a) < of(b) ? a : b;
  return atLeastAsFast(subject, target, measured, [ours, better], `the better of ${a} and ${b} (${better})`);
}

function refusal({ target, ...options }: Omit<SameForAll, 'count' | 'claims'> & { target: number }): Part {
  return loadOf({
    ...options,
    count: 10,
    claims: (measured) => [againstTheBetter(options.title, target, measured)],
  });
}

/** Ours grants each address 60 requests a minute: enough of them that none is refused with 429. */
export const ADDRESSES = 15_000;

export const lists: Part[] = [
  list(10, 0.42, (measured) => [
    ofItself('list of 10', measured),
    atLeastAsFast('list of 10, no access log', 0.55, measured, [UNLOGGED, RAW]),
    atLeastAsFast('list of 10, not remembered', 1.1, measured, [NOT_REMEMBERED, 'fastify']),
    atMost('list of 10: peak memory', 130, 'MB', spreadOf([named(measured, OURS).peakMemory / 1e6]), format),
  ]),
  list(100, 0.42, (measured) => [
    ofItself('list of 100', measured),
    atLeastAsFast('list of 100, not remembered', 1.5, measured, [NOT_REMEMBERED, 'fastify']),
  ]),
  list(10_000, 0.6),
];

export const refusals: Part[] = [
  refusal({
    name: 'cancel-409',
    target: 1.5,
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
    target: 1.1,
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
    target: 1.1,
    title: 'Quota of a key used up: 429',
    about: 'a list with a key whose quota per day is used up',
    load: ({ exhausted }) => ({
      method: 'GET',
      target: LIST,
      headers: bearer(exhausted),
      outcome: 'failure',
    }),
  }),
  refusal({
    name: 'address-429',
    target: 1.1,
    title: 'Quota of an address used up: 429',
    about: 'a list without a key, from one address',
    load: () => ({ method: 'GET', target: LIST, headers: {}, outcome: 'failure' }),
  }),
];

/** What each mechanism of ours is worth: the same load without it. */
export const mechanisms: Part = {
  name: 'mechanisms',
  about: 'what each mechanism of the service is worth, by switching it off',
  async run(bench) {
    const title = 'What each mechanism is worth';
    const data = await createData(bench, (2 + bench.rounds * bench.seconds) * MAX_CANCELS);
    const small = await createData(bench, 10);
    const rows: string[][] = [];
    const cancels: HttpLoad = {
      method: 'DELETE',
      target: `${LIST}/1`,
      headers: bearer(data.key),
      firstId: 100,
      outcome: 'success',
    };
    const listOf10: HttpLoad = {
      method: 'GET',
      target: LIST,
      headers: bearer(small.key),
      outcome: 'success',
    };
    // A list waits for the look for changes, after which those of one turn are sent in a row without more ado.
    const refusals: HttpLoad = { ...listOf10, headers: {}, outcome: 'failure' };
    const others: Partial<Record<Switch, readonly [string, Data, HttpLoad]>> = {
      'one commit per turn': ['cancel, 204', data, cancels],
      'replies of one turn sent together': ['429 of an address', small, refusals],
    };
    for (const without of Object.keys(switches) as Switch[]) {
      const [under, of, load] = others[without] ?? ['list of 10', small, listOf10];
      const ours = [
        await startPetstore(bench, copyData(of, `${without}-on`), { name: OURS }),
        await startPetstore(bench, copyData(of, `${without}-off`), { name: without, without }),
      ];
      const measured = await measure(
        bench,
        `${title}: ${without}`,
        ours.map((server) => underLoad(bench, server, load)),
      );
      rows.push([
        without,
        under,
        ...measured.map((each) => formatSpread(spreadOf(cpuOf(each)))),
        formatSpread(cpuRatio(measured, without, OURS), formatRatio),
      ]);
      for (const server of ours) await server.stop();
    }
    return {
      title,
      tables: [{ head: ['', 'under', 'with it, CPU µs', 'without it, CPU µs', 'without of with'], rows }],
      claims: [],
    };
  },
};

/** More than are made in a second. */
const MAX_CANCELS = 30_000;
