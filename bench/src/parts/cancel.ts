import Database from 'better-sqlite3';
import type { CommitReport } from '../../probes/bare-commit.ts';
import type { Bench } from '../bench.ts';
import { copyData, createData, databaseOf, MISSING_ID, type Data } from '../data.ts';
import { runProbe } from '../probe.ts';
import { atLeast, disturbanceNote, speedRatio, throughputTable, type PartResult } from '../result.ts';
import { measure, underLoad, type Subject } from '../rounds.ts';
import type { Part } from './part.ts';
import { OURS, startContestants } from './servers.ts';

const BARE = 'better-sqlite3 alone';
const FIRST_ID = 100;
/** More than any server commits. */
const MAX_PER_SECOND = 30_000;

/** Cancels pending orders, each once, with every commit on disk before it is answered. */
export const cancel: Part = {
  name: 'cancel-204',
  about: 'cancel of a pending order, against the same commits without a server',
  async run(bench: Bench): Promise<PartResult> {
    const title = 'Cancel of a pending order: 204';
    bench.progress.step(`${title}: writing the orders`);
    const data = await createData(bench, (2 + bench.rounds * bench.seconds) * MAX_PER_SECOND);
    const servers = await startContestants(bench, data, { checkList: false });
    const counts = new Map<string, number>();
    const measured = await measure(bench, title, [
      bareCommits(bench, copyData(data, 'bare')),
      ...servers.map((server): Subject => {
        const subject = underLoad(bench, server, {
          method: 'DELETE',
          target: `/v1/store/orders/${MISSING_ID}`,
          headers: { Authorization: `Bearer ${data.key}` },
          firstId: FIRST_ID,
          outcome: 'success',
        });
        return {
          ...subject,
          async run(seconds) {
            const sample = await subject.run(seconds);
            counts.set(server.name, (counts.get(server.name) ?? 0) + (sample.requests ?? 0));
            return sample;
          },
        };
      }),
    ]);
    for (const { name, dataDir } of servers) {
      if (dataDir === undefined) continue;
      const committed = cancelledIn({ ...data, dataDir });
      const answered = counts.get(name) ?? 0;
      if (committed < answered) throw new Error(`${name} answered ${answered} cancels and made ${committed}`);
    }
    return {
      title,
      tables: [throughputTable(measured, BARE)],
      notes: [
        'Every answered cancel was found in the database afterwards. Commits are synced to disk one by one, so their rate is that of the disk.',
        ...disturbanceNote(measured),
      ],
      claims: [atLeast(title, 0.7, BARE, speedRatio(measured, OURS, BARE))],
    };
  },
};

function bareCommits(bench: Bench, data: Data): Subject {
  let firstId = FIRST_ID;
  return {
    name: BARE,
    async run(seconds) {
      const { requests, cpu, ...report } = await runProbe<CommitReport>(bench, 'bare-commit', [
        databaseOf(data),
        String(firstId),
        String(seconds),
      ]);
      firstId += requests;
      return { requests, perSecond: requests / report.seconds, cpu: cpu / requests };
    },
  };
}

function cancelledIn(data: Data): number {
  const database = new Database(databaseOf(data), { readonly: true });
  try {
    const count = database
      .prepare<[number], number>(`SELECT count(*) FROM orders WHERE id >= ? AND status = 'cancelled'`)
      .pluck();
    return count.get(FIRST_ID) ?? 0;
  } finally {
    database.close();
  }
}
