import Database from 'better-sqlite3';
import type { CommitReport } from '../../probes/bare-commit.ts';
import type { Bench } from '../bench.ts';
import type { Part } from '../part.ts';
import { runProbe } from '../command.ts';
import { bearer, copyData, createData, databaseOf, LIST, MISSING_ID } from '../data.ts';
import { atLeast, disturbanceNote, speedRatio, throughputTable } from '../result.ts';
import { profileOfLoad } from '../profile.ts';
import { measure, underLoad, type Loaded, type Subject } from '../rounds.ts';
import { OURS, startContestants, type Server } from '../server.ts';

const BARE = 'better-sqlite3 alone';
const FIRST_ID = 100;
/** More than any server commits. */
const MAX_PER_SECOND = 30_000;

/** Cancels pending orders, each once, with every commit on disk before it is answered. */
export const cancel: Part = {
  name: 'cancel-204',
  about: 'cancel of a pending order, against the same commits without a server',
  async run(bench) {
    const title = 'Cancel of a pending order: 204';
    bench.step(`${title}: writing the orders`);
    const data = await createData(bench, (2 + (bench.rounds + 2) * bench.seconds) * MAX_PER_SECOND);
    const servers = await startContestants(bench, data, { checkList: false });
    const answered = new Map<Server, number>();
    const subjects = servers.map((server): Loaded => {
      const subject = underLoad(bench, server, {
        method: 'DELETE',
        target: `${LIST}/${MISSING_ID}`,
        headers: bearer(data.key),
        firstId: FIRST_ID,
        outcome: 'success',
      });
      return {
        ...subject,
        async run(seconds) {
          const sample = await subject.run(seconds);
          answered.set(server, (answered.get(server) ?? 0) + sample.requests);
          return sample;
        },
      };
    });
    const bare = bareCommits(bench, databaseOf(copyData(data, 'bare')));
    const measured = await measure(bench, title, [bare, ...subjects]);
    for (const [{ name, dataDir }, count] of answered) {
      const committed = dataDir === undefined ? count : cancelledIn(databaseOf({ ...data, dataDir }));
      if (committed < count) throw new Error(`${name} answered ${count} cancels and made ${committed}`);
    }
    const claims = [atLeast(title, 1.7, BARE, speedRatio(measured, OURS, BARE))];
    return {
      title,
      tables: [throughputTable(measured, BARE), ...(await profileOfLoad(bench, claims, subjects))],
      notes: [
        'Every answered cancel was found in the database afterwards. Commits are synced to disk one by one, so their rate is that of the disk.',
        ...disturbanceNote(measured),
      ],
      claims,
    };
  },
};

function bareCommits(bench: Bench, file: string): Subject {
  let firstId = FIRST_ID;
  return {
    name: BARE,
    async run(seconds) {
      const args = [file, String(firstId), String(seconds)];
      const { requests, cpu, ...report } = await runProbe<CommitReport>(bench, 'bare-commit', args);
      firstId += requests;
      return { requests, perSecond: requests / report.seconds, cpu: cpu / requests };
    },
  };
}

function cancelledIn(file: string): number {
  const database = new Database(file, { readonly: true });
  try {
    const sql = `SELECT count(*) FROM orders WHERE id >= ? AND status = 'cancelled'`;
    return database.prepare<[number], number>(sql).pluck().get(FIRST_ID) ?? 0;
  } finally {
    database.close();
  }
}
