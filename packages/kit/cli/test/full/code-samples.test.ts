import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { readModel } from '@contract-kit/core/model';
import { parseContract } from '@contract-kit/core/openapi';
import { type AnyHandler, type Document, startForCheck } from '@contract-kit/server/internals';
import { newFolder } from '@contract-kit/test-support/testing';
import { describeWith } from '@contract-kit/test-support';
import { sourcesOf } from '../../src/check/check-file.ts';
import { checkedOf } from '../../src/check/checked.ts';
import { compile } from '../../src/check/compile.ts';
import { importClient } from '../../src/check/import-client.ts';

const run = promisify(execFile);
const kitchenSink = path.join(import.meta.dirname, '../../../../test-support/kitchen-sink');
const FILES = readdirSync(kitchenSink).filter((file) => file.endsWith('.yaml'));
const LABELS = ['curl', 'fetch', 'TypeScript', 'Python'] as const;
type Label = (typeof LABELS)[number];

interface Sample { readonly id: string; readonly source: string }
interface Result { readonly printed: readonly unknown[]; readonly error?: string }
interface Call { readonly id: string; readonly input: unknown }

async function prepare(file: string) {
  const checked = checkedOf(parseContract(readFileSync(path.join(kitchenSink, file), 'utf8')), {
    name: 'sink',
    keyPrefix: 'key_',
    databaseFile: 'store.db',
  });
  const client = { name: '@acme/client', registry: 'https://registry.example' };
  const contract = { ...checked.value, published: { client } };
  const errorBody = checked.errors && { errorBody: checked.errors.errorBody };
  const sources = await sourcesOf(checked);
  const folder = path.join(import.meta.dirname, '../../node_modules/.cache/code-samples', file);
  mkdirSync(folder, { recursive: true });
  for (const [name, code] of Object.entries(sources)) writeFileSync(path.join(folder, name), code);
  await importClient(folder);
  return { contract, errorBody, sources, folder };
}
type Prepared = Awaited<ReturnType<typeof prepare>>;

async function start({ contract, errorBody }: Prepared) {
  const calls: Call[] = [];
  const service: Awaited<ReturnType<typeof startForCheck>> = await startForCheck(contract, {
    dataDir: newFolder(),
    handlerOf: (id) => (async (input: object) => {
      calls.push({ id, input });
      return service.exampleOf(id) ?? { status: 204 };
    }) as AnyHandler,
    ...errorBody,
  });
  const document = (await (await fetch(`${service.origin}/openapi.json`)).json()) as Pick<Document, 'paths'>;
  const { operations } = readModel(contract.document);
  const samplesOf = (label: Label): Sample[] =>
    operations.flatMap(({ id, method, path }) => {
      const item = document.paths[path]?.[method.toLowerCase()] ?? (document.paths[path] as any)?.additionalOperations?.[method];
      return (item?.['x-codeSamples'] ?? []).filter((s: any) => s.label === label).map(({ source }: any) => ({ id, source }));
    });
  return { service, calls, samplesOf };
}

async function runAll(label: Label, samples: readonly Sample[], folder: string, env: object): Promise<Result[]> {
  const options = { cwd: newFolder(), env: { ...process.env, ...env } as NodeJS.ProcessEnv };
  for (const [, name = ''] of samples.map(({ source }) => source).join('\n').matchAll(/(?:open|openAsBlob)\('([^']+)'/g))
    writeFileSync(path.join(options.cwd, name), 'bytes');
  for (const name of ['file', 'pages', 'note', 'cover', 'more', 'scan', 'photo']) writeFileSync(path.join(options.cwd, name), 'bytes');
  if (label === 'curl') {
    const results: Result[] = [];
    for (const { source } of samples) {
      try {
        const { stdout } = await run('sh', ['-c', source], options);
        results.push({ printed: [stdout] });
      } catch (error) {
        const { stdout, stderr } = error as { stdout: string; stderr: string };
        results.push({ printed: [stdout], error: stderr.split('\n').at(-2) + stdout });
      }
    }
    return results;
  }
  const files = samples.map(({ source }, index) => {
    const file = path.join(folder, `sample-${label}-${index}.${label === 'Python' ? 'py' : 'mjs'}`);
    writeFileSync(file, source.replace("'@acme/client'", "'./index.js'"));
    return file;
  });
  const support = path.join(import.meta.dirname, '../support');
  const [program, runner] = label === 'Python' ? ['python3', 'run-samples.py'] : [process.execPath, 'run-samples.mjs'];
  const { stdout } = await run(program, [path.join(support, runner), ...files], { ...options, maxBuffer: Infinity });
  return JSON.parse(stdout) as Result[];
}

test.each(FILES)('%s', async (file) => {
  const prepared = await prepare(file);
  const lines: string[] = [];
  for (const label of LABELS) {
    const { service, calls, samplesOf } = await start(prepared);
    const samples = samplesOf(label);
    const begin = performance.now();
    const results = await runAll(label, samples, prepared.folder, { SINK_API_KEY: service.key });
    lines.push(`${label}: ${samples.length} samples, ${calls.length} calls, ${Math.round(performance.now() - begin)} ms`);
    if (calls.map((c) => c.id).join() !== samples.map((s) => s.id).join()) {
      const missing = samples.filter((s) => calls.filter((c) => c.id === s.id).length !== 1);
      lines.push('calls: ' + missing.map((s) => s.id + '×' + calls.filter((c) => c.id === s.id).length).join());
    }
    for (const [index, { error, printed }] of results.entries())
      if (error) lines.push(`--- ${samples[index]?.id}: ${error} ${JSON.stringify(printed).slice(0, 200)}\n${samples[index]?.source}`);
    await service.stop();
  }
  writeFileSync(`/tmp/out-${file}.txt`, lines.join('\n'));
}, 120000);
void compile; void describeWith;
