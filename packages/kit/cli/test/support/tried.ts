import { parseContract } from '@contract-kit/core/openapi';
import { startForCheck, type AnyHandler } from '@contract-kit/server/internals';
import { newFolder } from '@contract-kit/test-support/testing';
import { checkedOf } from '../../src/check/checked.ts';
import { NAMES, sourcesOf } from '../../src/check/check-file.ts';
import { compile } from '../../src/check/compile.ts';
import { checkContract, remarksOn } from '../../src/rules/check-contract.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

type Methods = Record<string, (input?: unknown) => Promise<unknown>>;

/** A server of a contract with its generated client, and what their code says. */
export interface Tried {
  readonly origin: string;
  readonly client: Methods;
  readonly remarks: readonly string[];
  readonly published: unknown;
  /** What the last handler got. */
  readonly received: () => Readonly<Record<string, unknown>> | undefined;
  /** Whether code that imports from `./index.ts` compiles: the first error. */
  readonly compiled: (code: string) => Promise<string | undefined>;
  readonly stop: () => Promise<void>;
}

/** Starts a server of a contract; `answer` is what each of its handlers returns. */
export async function tried(name: string, text: string, answer: () => object): Promise<Tried> {
  const source = parseContract(text);
  expect(checkContract(source).map(({ message }) => message)).toEqual([]);
  const remarks = remarksOn(source).map(({ line, column, message }) => `${line}:${column}: ${message}`);
  const checked = checkedOf(source, NAMES);
  const sources = await sourcesOf(checked);
  // Where the kit's packages resolve.
  const generated = path.join(import.meta.dirname, '../../node_modules/.cache/tried', name);
  mkdirSync(generated, { recursive: true });
  for (const [file, code] of Object.entries(sources)) writeFileSync(path.join(generated, file), code);
  const load = jest.requireActual<{ createChecked: (options: object) => Methods }>(
    path.join(generated, 'index.ts'),
  );
  let received: Readonly<Record<string, unknown>> | undefined;
  const handler = (input: object) => {
    received = { ...input };
    return answer();
  };
  const service = await startForCheck(checked.value, {
    dataDir: newFolder(),
    handlerOf: () => handler as AnyHandler,
    ...(checked.errors && { errorBody: checked.errors.errorBody }),
  });
  const { origin } = service;
  return {
    origin,
    client: load.createChecked({
      apiKey: service.key,
      baseUrl: origin + checked.value.basePath,
      maxAttempts: 1,
    }),
    remarks,
    published: checked.published.document as unknown,
    received: () => {
      const last = received;
      received = undefined;
      return last;
    },
    compiled: (code) => compile({ ...sources, 'use.ts': code }),
    stop: () => service.stop(),
  };
}
