import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Options } from '@contract-kit/client';
import { describeWith } from '@contract-kit/test-support';
import { useBrowser } from '@contract-kit/test-support/browser';
import { listen, shared, startPostgres, until } from '@contract-kit/test-support/testing';
import { buildSync } from 'esbuild';
import { mainOf, namedIn, withPage, type Started } from '../support/page-service.ts';

/* The service of docs/guide/streams.md and its client, over restarts, and the code of docs/guide/feed.md. */

const run = promisify(execFile);

interface Message {
  readonly id: string;
  readonly data: { readonly text: string };
}
interface Chat {
  send(input: { text: string }): Promise<void>;
  watchMessages(input?: object, options?: object): Promise<AsyncIterable<Message>>;
}

/** Runs in a page: what the browser's own EventSource reads, and the client. */
const PAGE = `
import { createChat } from './index.ts';
declare const EventSource: new (address: string) => {
  onmessage: (event: { readonly lastEventId: string; readonly data: string }) => void;
};
export const seen: Record<string, unknown[]> = { source: [], client: [] };
export function watch(baseUrl: string) {
  const source = new EventSource(baseUrl + '/messages/events');
  source.onmessage = ({ lastEventId, data }) => seen['source']!.push([lastEventId, JSON.parse(data).text]);
  const read = async () => {
    for await (const { id, data } of await createChat({ baseUrl }).watchMessages()) {
      seen['client']!.push([id, data.text]);
      if (data.text === 'Bye') break;
    }
    seen['client']!.push('left');
  };
  read().catch((error) => seen['client']!.push(String(error)));
}
`;

const FILES = {
  ...namedIn('streams'),
  ...namedIn('feed'),
  'migrations/sqlite/0001-messages.sql':
    'CREATE TABLE messages (id integer PRIMARY KEY, text text NOT NULL);\n',
  // A message in brackets has its id for a while before it is committed.
  'migrations/postgres/0001-messages.sql': `CREATE TABLE messages (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text NOT NULL);
CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1); RETURN NEW; END';
CREATE TRIGGER slow AFTER INSERT ON messages FOR EACH ROW WHEN (NEW.text LIKE '(%') EXECUTE FUNCTION wait();
`,
  'main.ts': mainOf('Chat', '{ messages }', "import { messages } from './messages.ts';"),
};

const chatIn = (folder: string, options: Options) =>
  jest
    .requireActual<{ createChat: (options: Options) => Chat }>(path.join(folder, 'index.ts'))
    .createChat(options);

test('the service, the client and the test of the page compile, and do what it says', () =>
  withPage('streams', 'chat', FILES, async ({ folder, env, key, origin }) => {
    const chat = chatIn(folder, { apiKey: key, baseUrl: origin });
    const reading = run(process.execPath, ['--import', 'tsx', 'client.ts'], { cwd: folder, env });
    for (const text of ['Hello', 'Bye', 'Too late']) await chat.send({ text });
    expect((await reading).stdout).toMatch(/^\S+ Hello\n\S+ Bye\n$/);
    const tested = await run(process.execPath, ['--import', 'tsx', 'chat.test.ts'], { cwd: folder, env });
    expect(tested.stdout).toBe('Hello,Bye\n');
  }));

describeWith(['PostgreSQL'], 'PostgreSQL', () => {
  const postgres = shared(startPostgres);

  test('a reader misses no message that is committed after one with a higher id', async () => {
    const settings = { DATABASE_URL: await postgres.createDatabase() };
    await withPage('streams', 'chat', FILES, work, settings);

    async function work({ folder, key, origin }: Started): Promise<void> {
      const chat = chatIn(folder, { apiKey: key, baseUrl: origin });
      const texts: string[] = [];
      const events = await chat.watchMessages({}, { signal: AbortSignal.timeout(20_000) });
      const sent = ['(slow)', 'fast', '(slow)', 'fast', 'Bye'].map((text) => chat.send({ text }));
      for await (const { data } of events) if (texts.push(data.text) === sent.length) break;
      expect(texts.sort()).toEqual(['(slow)', '(slow)', 'Bye', 'fast', 'fast']);
      await Promise.all(sent);
    }
  });
});

describeWith(['Chromium'], 'Chromium', () => {
  const { visit } = useBrowser();

  test('EventSource, and loops in the page and in Node.js, get every message once over a kill and a stop', async () => {
    const page = await visit(await listen((_request, response) => response.end('<title>Chat</title>')));
    const files = { ...FILES, 'page.ts': PAGE };
    const settings = { CORS_ORIGINS: new URL(page.url()).origin };
    await withPage('streams', 'chat', files, work, settings);

    async function work({ folder, key, origin, restart }: Started): Promise<void> {
      const [built] = buildSync({
        entryPoints: [path.join(folder, 'page.ts')],
        bundle: true,
        format: 'iife',
        globalName: 'app',
        write: false,
      }).outputFiles;
      await page.addScriptTag({ content: built?.text ?? '' });
      await page.evaluate(`app.watch('${origin}')`);
      const chat = chatIn(folder, { apiKey: key, baseUrl: origin, onWait: () => {} });
      const inNode: unknown[] = [];
      const reading = (async () => {
        for await (const { id, data } of await chat.watchMessages()) {
          inNode.push([id, data.text]);
          if (data.text === 'Bye') break;
        }
      })();
      type Seen = Record<'source' | 'client', unknown[]>;
      const seen = async () => ({ ...(await page.evaluate<Seen>('app.seen')), inNode });
      let sent = 0;
      const send = async (count: number) => {
        while (sent < count) await chat.send({ text: `text ${++sent}` });
        await until(async () => Object.values(await seen()).every(({ length }) => length >= count));
      };
      await send(3);
      await restart('SIGKILL');
      await send(6);
      await restart('SIGTERM');
      await send(9);
      const { source, client, inNode: node } = await seen();
      expect(source.map((item) => (item as string[])[1])).toEqual(
        Array.from({ length: 9 }, (_, at) => `text ${at + 1}`),
      );
      expect([client, node]).toEqual([source, source]);
      await chat.send({ text: 'Bye' });
      await until(async () => (await seen()).client.at(-1) === 'left');
      await reading;
    }
  });
});
