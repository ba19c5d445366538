import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { parseContract } from '@contract-kit/core/openapi';
import type { Contract } from '@contract-kit/core';
import type { Sample } from '@contract-kit/core/model';
import { type AnyHandler, type Document, startForCheck } from '@contract-kit/server/internals';
import { newFolder } from '@contract-kit/test-support/testing';
import { sourcesOf } from '../../src/check/check-file.ts';
import { checkedOf } from '../../src/check/checked.ts';
import { importClient } from '../../src/check/import-client.ts';

/* Code samples of a served document, run as their readers do. */

/** The samples of an operation whose client is published: `TypeScript` uses the client. */
export const LABELS = ['curl', 'TypeScript', 'fetch', 'Python'] as const;
export type Label = (typeof LABELS)[number];

/** What became of a sample. */
export interface Result {
  /** What the arguments of `console.log` were, or the standard output. */
  readonly printed: readonly unknown[];
  readonly error?: string;
}

type OperationSample = Sample & { readonly id: string };
type Service = Awaited<ReturnType<typeof startForCheck>>;

const CLIENT = { name: '@acme/client', registry: 'https://registry.example' };
const cache = path.join(import.meta.dirname, '../../node_modules/.cache/code-samples');

/** The contract in `text` with a published client, and the generated client in a folder. */
export async function prepare(name: string, text: string) {
  const names = { name: 'sink', keyPrefix: 'key_', databaseFile: 'store.db' };
  const checked = checkedOf(parseContract(text), names);
  const { errors, value } = checked;
  const contract: Contract = { ...value, published: { client: CLIENT } };
  const sources = await sourcesOf(checked);
  // Where the kit's packages resolve.
  const folder = path.join(cache, name);
  mkdirSync(folder, { recursive: true });
  for (const [file, code] of Object.entries(sources)) writeFileSync(path.join(folder, file), code);
  await importClient(folder);
  const { operations } = checked.published.model;
  return { contract, operations, sources, folder, ...(errors && { errorBody: errors.errorBody }) };
}

export type Prepared = Awaited<ReturnType<typeof prepare>>;

/** Uses a server whose handlers return what `handle` does, with the samples that it serves. */
export async function withServer<Value>(
  { contract, operations, errorBody }: Pick<Prepared, 'contract' | 'operations' | 'errorBody'>,
  handle: (id: string, input: object, service: Service) => unknown,
  use: (service: Service, samples: readonly OperationSample[]) => Promise<Value>,
): Promise<Value> {
  const service: Service = await startForCheck(contract, {
    dataDir: newFolder(),
    handlerOf: (id) => ((input: object) => handle(id, input, service)) as AnyHandler,
    ...(errorBody && { errorBody }),
  });
  try {
    const document = (await (await fetch(`${service.origin}/openapi.json`)).json()) as Pick<
      Document,
      'paths'
    >;
    const samples = operations.flatMap(({ id, path, method }) => {
      const definition = document.paths[path]?.[method.toLowerCase()];
      return (definition?.['x-codeSamples'] ?? []).map((sample) => ({ ...sample, id }));
    });
    return await use(service, samples);
  } finally {
    await service.stop();
  }
}

/** A folder to run samples in, with the files that they read. */
export function folderFor(samples: readonly Sample[]): string {
  const folder = newFolder();
  for (const { source } of samples)
    for (const [, name = ''] of source.matchAll(/open\('([^']+)', 'rb'\)/g))
      writeFileSync(path.join(folder, name), 'bytes');
  return folder;
}

/** The command that runs a sample in its own process. */
export function commandOf({ label, source }: Sample, folder: string): readonly [string, ...string[]] {
  if (label === 'curl') return ['sh', '-c', source];
  if (label === 'Python') return ['python3', '-c', source];
  return [process.execPath, fileOf(source, path.join(folder, `${label}.mjs`))];
}

/** Runs samples of one language one after another, those of Python and TypeScript in one process. */
export async function runAll(
  samples: readonly Sample[],
  { cwd, key, folder }: { readonly cwd: string; readonly key: string; readonly folder: string },
): Promise<Result[]> {
  const options = { cwd, env: { ...process.env, SINK_API_KEY: key }, maxBuffer: Infinity };
  const run = promisify(execFile);
  const label = samples[0]?.label;
  if (label === 'curl') {
    const results: Result[] = [];
    for (const sample of samples) {
      const [program, ...args] = commandOf(sample, folder);
      const failed = (error: Error & { stdout: string; stderr: string }) => ({
        stdout: error.stdout,
        error: error.stderr + error.stdout,
      });
      const { stdout, ...rest } = await run(program, args, options).catch(failed);
      results.push({ printed: [stdout], ...('error' in rest && { error: rest.error }) });
    }
    return results;
  }
  const [program, runner, end] =
    label === 'Python' ? ['python3', 'run-samples.py', 'py'] : [process.execPath, 'run-samples.mjs', 'mjs'];
  const files = samples.map(({ source }, index) =>
    fileOf(source, path.join(folder, `${label}-${index}.${end}`)),
  );
  const { stdout } = await run(program, [path.join(import.meta.dirname, runner), ...files], options);
  return JSON.parse(stdout) as Result[];
}

/** Writes a sample next to the generated client. */
function fileOf(source: string, file: string): string {
  writeFileSync(file, source.replace(`'${CLIENT.name}'`, "'./index.js'"));
  return file;
}

/** Declares what samples use of Node.js, for the compiler. */
const NODE = `declare const process: { readonly env: Record<string, string | undefined> };
declare module 'node:fs' {
  export function openAsBlob(path: string, options?: { readonly type?: string }): Promise<Blob>;
}
declare module 'node:fs/promises' {
  type Part = string | ArrayBufferView;
  export function writeFile(path: string, data: Part | AsyncIterable<Part>): Promise<void>;
}
`;

/** Samples in TypeScript as sources that compile together with the client. */
export function compilable({ sources }: Prepared, samples: readonly Sample[]): Record<string, string> {
  const files = samples
    .filter(({ lang }) => lang === 'typescript')
    .map(({ source }, index) => [
      `sample-${index}.ts`,
      `${source.replace(`'${CLIENT.name}'`, "'./index.ts'")}\nexport {};\n`,
    ]);
  return { ...sources, 'node.d.ts': NODE, ...(Object.fromEntries(files) as Record<string, string>) };
}

/** The files in a folder that are not in `before`, with their content. */
export function savedIn(folder: string, before: readonly string[]): Record<string, string> {
  const names = readdirSync(folder).filter((name) => !before.includes(name));
  return Object.fromEntries(names.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]));
}
