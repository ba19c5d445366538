import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeWith } from '@contract-kit/test-support';
import { shared, startPostgres, startRedis } from '@contract-kit/test-support/testing';
import { groups } from './wire/groups.ts';
import { createRecorder } from './wire/recorder.ts';
import { startWireService } from './wire/service.ts';

/* Every byte that clients of the petstore see: status, headers with their order and spelling, body. */

const folder = path.join(import.meta.dirname, 'wire/record');
const isRecording = process.env['WIRE_RECORD'] !== undefined;
const HINT = 'Is this difference meant? Then record it: npm run wire:record --workspace apps/server';

/** The text of each file of a group, played on new databases. */
async function play(name: string, databases?: () => Promise<Record<string, string>>) {
  const group = groups[name];
  if (!group) throw new Error(`there is no group ${name}`);
  for (;;) {
    const startedAt = performance.now();
    const service = await startWireService({ ...group.env, ...(await databases?.()) });
    const recorder = createRecorder({ ...service, isOnRedis: databases !== undefined });
    await group.play(service, recorder);
    await service.stop();
    // Redis counts by its own clock, on which a minute must not pass meanwhile, and is late on a busy machine.
    const isDisturbed = performance.now() - startedAt > 55_000 || service.messages('Redis').length > 0;
    if (databases === undefined || !isDisturbed) return recorder.files(name);
  }
}

function expectRecorded(files: Readonly<Record<string, string>>, mayRecord = false): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    if (isRecording && mayRecord) {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    const recorded = existsSync(file) ? readFileSync(file, 'utf8') : '';
    try {
      expect(text).toBe(recorded);
    } catch (error) {
      throw new Error(`${name} is not as recorded. ${HINT}\n\n${String(error)}`);
    }
  }
}

const names = Object.keys(groups);

test.each(names)('%s: the same bytes as recorded', async (name) => {
  expectRecorded(await play(name), true);
});

describeWith(['PostgreSQL', 'Redis'], 'with PostgreSQL and Redis', () => {
  const postgres = shared(startPostgres);
  const redis = shared(() => startRedis('--databases', '1000'));
  let count = 0;
  const databases = async () => ({
    DATABASE_URL: await postgres.createDatabase(),
    REDIS_URL: `${redis.url}/${(count += 1)}`,
  });

  test.each(names.filter((name) => groups[name]?.isEmbeddedOnly !== true))(
    '%s: the same bytes as recorded',
    async (name) => {
      expectRecorded(await play(name, databases));
    },
  );
});
