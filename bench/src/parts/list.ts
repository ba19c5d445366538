import type { Bench } from '../bench.ts';
import { createData } from '../data.ts';
import { atLeastAsFast, disturbanceNote, throughputTable, type Claim, type PartResult } from '../result.ts';
import { measure, underLoad, type Measured } from '../rounds.ts';
import type { Part } from './part.ts';
import { OURS, RAW, ratioBars, startContestants } from './servers.ts';

interface Targets {
  readonly ofRaw: number;
  readonly ofExpress?: number;
  readonly ofOthers?: number;
}

function list(count: number, targets: Targets): Part {
  const subject = `list of ${count.toLocaleString('en-US')}`;
  return {
    name: `list-${count}`,
    about: `${subject} orders, ours and the peers`,
    async run(bench: Bench): Promise<PartResult> {
      const data = await createData(bench, count);
      const servers = await startContestants(bench, data, { notRemembered: true });
      const measured = await measure(
        bench,
        subject,
        servers.map((server) =>
          underLoad(bench, server, {
            method: 'GET',
            target: '/v1/store/orders',
            headers: { Authorization: `Bearer ${data.key}` },
            outcome: 'success',
          }),
        ),
      );
      return {
        title: `${subject[0]?.toUpperCase()}${subject.slice(1)} orders`,
        tables: [throughputTable(measured, RAW)],
        notes: disturbanceNote(measured),
        claims: claimsOf(subject, measured, targets),
        bars: ratioBars(measured),
      };
    },
  };
}

function claimsOf(subject: string, measured: readonly Measured[], targets: Targets): Claim[] {
  const { ofRaw, ofExpress, ofOthers } = targets;
  const against = (name: string, target: number) => atLeastAsFast(subject, target, measured, [OURS, name]);
  return [
    against(RAW, ofRaw),
    ...(ofExpress === undefined ? [] : [against('express', ofExpress)]),
    ...(ofOthers === undefined ? [] : [against('fastify', ofOthers), against('hono', ofOthers)]),
  ];
}

export const lists: Part[] = [
  list(10, { ofRaw: 0.45, ofExpress: 3.5, ofOthers: 1 }),
  list(100, { ofRaw: 0.4, ofExpress: 5, ofOthers: 2 }),
  list(10_000, { ofRaw: 0.6 }),
];
