import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { successesOf, type Operation } from '@contract-kit/core/model';
import { describeWith } from '@contract-kit/test-support';
import { listen, until } from '@contract-kit/test-support/testing';
import { compile } from '../../src/check/compile.ts';
import { endless, ERRORS, RECEIVED, STREAMS, VALUES } from '../support/code-sample-contracts.ts';
import {
  commandOf,
  compilable,
  folderFor,
  LABELS,
  prepare,
  runAll,
  savedIn,
  withServer,
  type Label,
  type Prepared,
} from '../support/code-samples.ts';
import { comparable } from '../support/comparable.ts';

/* Every code sample that the docs of the kitchen-sink contracts print, run against the service. */

const kitchenSink = path.join(import.meta.dirname, '../../../../test-support/kitchen-sink');
const FILES = readdirSync(kitchenSink).filter((file) => file.endsWith('.yaml'));

interface Call {
  readonly id: string;
  readonly input: unknown;
}

/** Runs the samples of a language, and returns what each printed or saved, and what handlers received. */
async function tryAll(prepared: Prepared, label: Label) {
  const calls: Call[] = [];
  // A server each: a request with the same Idempotency-Key would not reach the handler again.
  return withServer(
    prepared,
    async (id, input, service) => {
      const { path, query, headers, cookies, body } = input as Record<string, unknown>;
      calls.push({ id, input: await comparable({ path, query, headers, cookies, body }) });
      return service.exampleOf(id) ?? { status: 204 };
    },
    async ({ key }, all) => {
      const samples = all.filter((sample) => sample.label === label);
      const cwd = folderFor(all);
      const before = readdirSync(cwd);
      const results = await runAll(samples, { cwd, key, folder: prepared.folder });
      const outcomes = samples.map(({ id, source }, index) => ({ id, source, ...results[index] }));
      expect(outcomes.filter(({ error }) => error !== undefined)).toEqual([]);
      // Each once, and valid: others do not reach the handler.
      expect(calls.map(({ id }) => id)).toEqual(samples.map(({ id }) => id));
      return {
        calls,
        printed: new Map(outcomes.map((outcome) => [outcome.id, outcome.printed])),
        saved: savedIn(cwd, before),
      };
    },
  );
}

/** What samples do with the response: the kind of its body. */
function kindOf(operation: Operation): string {
  const response = successesOf(operation).find(({ media }) => media);
  return operation.method === 'HEAD' ? 'none' : (response?.media?.kind ?? 'none');
}

/** The items of a stream as samples without the client print them, from what the one with the client prints. */
const itemTexts = (items: readonly unknown[], kind: string) =>
  items
    .map((item) => (kind === 'events' ? (item as { data: unknown }).data : item))
    .map((data) => `${typeof data === 'string' ? data : JSON.stringify(data)}\n`)
    .join('');

/** Expects what the samples of an operation printed to be the body of the response, which curl prints as it is. */
function expectPrinted(kind: string, { curl, TypeScript, fetch, Python }: Record<Label, Printed>): void {
  const [text = ''] = curl as [string];
  if (kind === 'bytes') expect([curl, TypeScript, fetch, Python]).toEqual([[''], [], [], ['']]);
  else if (kind === 'none') {
    expect(fetch?.join()).toMatch(/^2\d\d$/);
    expect([TypeScript, Python]).toEqual([fetch, [`${fetch?.join()}\n`]]);
  } else if (kind === 'events' || kind === 'lines') {
    expect(TypeScript).not.toEqual([]);
    const items = itemTexts(TypeScript ?? [], kind);
    expect([fetch?.map((item) => `${item as string}\n`).join(''), Python]).toEqual([items, [items]]);
    if (kind === 'lines') expect(text).toBe(items);
  } else {
    expect(text).not.toBe('');
    expect([fetch, Python]).toEqual([[text], [`${text}\n`]]);
    expect(TypeScript).toEqual([kind === 'json' ? JSON.parse(text) : expect.anything()]);
    if (kind !== 'json') expect(String(TypeScript?.[0])).toBe(text);
  }
}
type Printed = readonly unknown[] | undefined;

describeWith(['curl', 'Python'], 'the code samples', () => {
  test.each(FILES)(
    'of %s compile, send the same valid request in each language, and print or save the response',
    async (file) => {
      const prepared = await prepare(file, readFileSync(path.join(kitchenSink, file), 'utf8'));
      await withServer(prepared, Object, async (_service, samples) => {
        expect(await compile(compilable(prepared, samples))).toBeUndefined();
      });
      const tried = {} as Record<Label, Awaited<ReturnType<typeof tryAll>>>;
      for (const label of LABELS) tried[label] = await tryAll(prepared, label);
      const { curl } = tried;
      for (const label of LABELS) {
        const ids = tried[label].calls.map(({ id }) => id);
        expect([label, tried[label].calls]).toEqual([label, curl.calls.filter(({ id }) => ids.includes(id))]);
        expect([label, tried[label].saved]).toEqual([label, curl.saved]);
      }
      for (const operation of prepared.operations) {
        // fetch sends no TRACE, so only curl and Python do.
        if (operation.method === 'TRACE') continue;
        const printed = Object.entries(tried).map(([label, { printed }]) => [
          label,
          printed.get(operation.id),
        ]);
        expectPrinted(kindOf(operation), Object.fromEntries(printed) as Record<Label, Printed>);
      }
    },
    120_000,
  );

  test('carry any characters exactly, with keys in every place', async () => {
    const prepared = await prepare('values', VALUES);
    for (const label of LABELS) {
      const { calls } = await tryAll(prepared, label);
      expect([label, ...calls.map(({ input }) => input)]).toMatchObject([label, ...RECEIVED]);
    }
  });

  test.each(LABELS)('in %s fail with the status and the body of an error', async (label) => {
    const prepared = await prepare('errors', ERRORS);
    const body = { code: 'gone', message: 'It is gone.', status: 410 };
    await withServer(
      prepared,
      () => ({ status: 410, body }),
      async ({ key }, all) => {
        const samples = all.filter((sample) => sample.label === label);
        const cwd = folderFor(all);
        const results = await runAll(samples, { cwd, key, folder: prepared.folder });
        for (const [index, { printed, error = '' }] of results.entries()) {
          expect(error).toContain('410');
          // curl saves what it prints.
          if (!samples[index]?.source.includes('--output'))
            expect(error + printed.join('')).toContain('It is gone.');
        }
        expect(savedIn(cwd, [])).toEqual({});
      },
    );
  });

  test.each(LABELS)('in %s print each item of a stream when it arrives', async (label) => {
    const prepared = await prepare('streams', STREAMS);
    await withServer(prepared, endless, async ({ key }, all) => {
      const samples = all.filter((sample) => sample.label === label);
      expect(samples).toHaveLength(2);
      for (const sample of samples) {
        const [program, ...args] = commandOf(sample, prepared.folder);
        const child = spawn(program, args, { env: { ...process.env, SINK_API_KEY: key }, detached: true });
        child.on('error', () => undefined);
        let output = '';
        child.stdout.on('data', (part: Buffer) => (output += part.toString()));
        await until(() => /first[^]*line/.test(output));
        process.kill(-(child.pid as number));
      }
    });
  });

  test.each(['fetch', 'Python'] as const)(
    'in %s read events whose lines end with CRLF, in any pieces',
    async (label) => {
      const prepared = await prepare('streams', STREAMS);
      const bytes = Buffer.from(
        ': begin\r\n\r\ndata: two\r\ndata:\r\ndata:  lines é\r\n\r\nid: 1\r\nevent: e\r\ndata:c\r\n\r\ndata: cut',
      );
      const origin = await listen((_request, response) => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        const pieces = Array.from(bytes, (byte) => Buffer.from([byte]));
        pipeline(Readable.from(pieces), response).catch(() => undefined);
      });
      const [result] = await withServer(prepared, endless, (service, all) => {
        const samples = all
          .filter((sample) => sample.label === label && sample.id === 'watch')
          .map((sample) => ({ ...sample, source: sample.source.replaceAll(service.origin, origin) }));
        return runAll(samples, { cwd: folderFor([]), key: service.key, folder: prepared.folder });
      });
      expect(result?.printed.map((text) => `${text as string}`.trimEnd()).join('\n')).toBe(
        'two\n\n lines é\nc',
      );
    },
  );
});
