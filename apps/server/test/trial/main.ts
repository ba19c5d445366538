import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual, inspect } from 'node:util';
import { createPetstore } from '@petstore/client';
import { basePath } from '@petstore/contract';
import { isObject, type JsonObject } from '@petstore/contract/json-pointer';
import fc from 'fast-check';
import { parse } from 'yaml';
import { parametersOf } from '../fuzz/inputs.ts';
import { dereference } from '../fuzz/operations.ts';
import { createWire } from '../fuzz/wire.ts';
import { removeTestFolders, startTestService } from '../support/service.ts';
import { echo } from './echo.ts';
import { describe, type Answer, type Call, type Described } from './described.ts';

/*
 * Calls every operation of openapi.yaml through the client's methods, with handlers that echo, and over raw HTTP where
 * the contract forbids it. Prints what differs from the contract as JSON: a list of texts for each operation.
 */

const HOUR = 3_600_000;
const runs = Number(process.argv[2] ?? 30);
const seed = Number(process.argv[3] ?? 20261122);

type Method = (input?: JsonObject) => Promise<unknown> & {
  reply(): Promise<{ declared: boolean; status: number; headers: JsonObject; body: unknown }>;
};

const document = parse(readFileSync(path.resolve(import.meta.dirname, '../../../../openapi.yaml'), 'utf8'), {
  maxAliasCount: -1,
}) as JsonObject;
const service = await startTestService();
const key = await service.key('enterprise', { perMinute: 1e9, perDay: 1e9 });
const wire = createWire(service.origin, { patience: 10_000 });

/** Without the difference between a missing field and one that is undefined, between 0 and -0, and prototypes. */
function plain(value: unknown): unknown {
  if (Buffer.isBuffer(value) || value instanceof Uint8Array) return [...value];
  if (value instanceof ArrayBuffer) return [...new Uint8Array(value)];
  if (typeof value === 'number') return value + 0;
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.map(([name, field]) => [name, plain(field)]));
}

function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(plain(actual), plain(expected))) return;
  const show = (value: unknown) =>
    inspect(plain(value), { depth: 8, breakLength: Infinity, maxStringLength: 300 });
  throw new Error(`${what}: ${show(actual)}, not ${show(expected)}`);
}

async function callThrough({ id }: Described, { input, given }: Call, answer: Answer): Promise<void> {
  service.clock.advance(HOUR);
  Object.assign(echo, { answer, operation: undefined, input: undefined });
  // A client of its own for each call: what a reply says of quotas must not hold up the next one.
  const petstore = createPetstore({
    apiKey: key,
    baseUrl: service.origin + basePath,
    maxAttempts: 1,
    onDeprecation: () => undefined,
  });
  const call = (petstore as unknown as Record<string, Method>)[id]?.(input);
  if (!call) throw new Error('the client has no such method');
  const outcome = call.then(
    (data) => ({ data }),
    (error: Error & { code?: string }) => ({ error }),
  );
  const reply = await call.reply();
  if (echo.operation !== id) throw new Error(`no handler was called: ${inspect(reply.body)}`);
  const received = echo.input ?? {};
  for (const part of ['path', 'query', 'headers', 'body'] as const) {
    expectEqual(`the handler's ${part}`, received[part], given[part]);
  }
  if (reply.status !== answer.status) throw new Error(`status ${reply.status}: ${inspect(reply.body)}`);
  if (!reply.declared)
    throw new Error(`${reply.status} is undeclared for the client, its body ${inspect(reply.body)}`);
  const body = reply.body instanceof Blob ? await reply.body.arrayBuffer() : reply.body;
  expectEqual(`the body of ${reply.status}`, body, answer.body);
  const names = Object.keys(answer.headers ?? {});
  const headers = Object.fromEntries(names.map((name) => [name, reply.headers[name]]));
  expectEqual(`the headers of ${reply.status}`, headers, answer.headers ?? {});
  const { data, error } = (await outcome) as { data?: unknown; error?: Error & { code?: string } };
  if (answer.status < 400) {
    if (error) throw error;
    expectEqual('the data', data instanceof Blob ? await data.arrayBuffer() : data, answer.body);
  } else {
    expectEqual('the code of the error', error?.code, (answer.body as { code: string }).code);
  }
}

/** That the client sends no whole number that it may have been given rounded. */
async function expectInexactRefused(
  { id, parameters, int64Fields }: Described,
  { input }: Call,
): Promise<void> {
  const inexact = 2 ** 53;
  const inputs = [
    ...parameters
      .filter(({ schema }) => dereference(schema['items'] ?? schema, document)['format'] === 'int64')
      .map(({ name, schema }) => ({ ...input, [name]: schema['type'] === 'array' ? [inexact] : inexact })),
    ...int64Fields.map((name) =>
      isObject(input['body'])
        ? { ...input, body: { ...input['body'], [name]: inexact } }
        : { ...input, [name]: inexact },
    ),
  ];
  const petstore = createPetstore({ apiKey: key, baseUrl: service.origin + basePath, maxAttempts: 1 });
  for (const each of inputs) {
    const call = (petstore as unknown as Record<string, Method>)[id]?.(each);
    const code = await call?.then(
      () => 'nothing',
      (error: Error & { code?: string }) => error.code,
    );
    if (code !== 'invalid_input') throw new Error(`the client sends ${inspect(each)}: ${code}`);
  }
}

async function expectStatus(
  status: number | readonly number[],
  request: Parameters<typeof wire.send>[0],
): Promise<void> {
  service.clock.advance(HOUR);
  const answer = await wire.send(request);
  if ([status].flat().includes(answer.status)) return;
  const { method, target, headers, body } = request;
  throw new Error(
    `${answer.status}, not ${String(status)}, for ${method} ${target} ${JSON.stringify(headers)} ${body}: ${answer.body.toString()}`,
  );
}

async function problemsOf(operation: Described): Promise<string[]> {
  const problems: string[] = [];
  const tryOut = async (property: fc.IAsyncPropertyWithHooks<unknown[]>) => {
    const details = await fc.check(property, { seed, numRuns: runs });
    if (!details.failed) return;
    const error = details.errorInstance;
    problems.push(
      `${error instanceof Error ? error.message : String(error)}\n  with ${inspect(details.counterexample, { depth: 8 })}`,
    );
  };
  const property = <Values extends [unknown, ...unknown[]]>(
    arbitraries: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
    hold: (...values: Values) => Promise<void>,
  ) => tryOut(fc.asyncProperty(...arbitraries, hold));

  await property<[Call, Answer]>([operation.calls, operation.answers], (call, answer) =>
    callThrough(operation, call, answer),
  );

  const alternatives = operation.credentials(key);
  const [authorization = []] = alternatives;
  const { fitting, unfitting } = parametersOf(operation, document);
  const { method } = operation;
  if (unfitting) {
    await property([unfitting.filter(({ verdict }) => verdict === 'invalid')], ({ target, headers, body }) =>
      expectStatus(operation.body && body === undefined ? [400, 415] : 400, {
        method,
        target,
        headers: [...headers, ...authorization],
        body,
      }),
    );
  }
  const [right] = fc.sample(
    fitting.filter(
      ({ verdict, body }) => verdict === 'valid' && (body !== undefined) === (operation.body !== undefined),
    ),
    { seed, numRuns: 1 },
  );
  if (!right) return problems;
  const { target, headers, body } = right;
  const attempt = (each: Promise<void>) => each.catch((error: unknown) => void problems.push(String(error)));
  if (operation.secured) await attempt(expectStatus(401, { method, target, headers, body }));
  const [answer] = fc.sample(
    operation.answers.filter(({ status }) => status < 300),
    { seed, numRuns: 1 },
  );
  for (const credentials of alternatives.length > 0 ? alternatives : [[]]) {
    Object.assign(echo, { answer });
    await attempt(
      expectStatus(answer?.status ?? 0, { method, target, headers: [...headers, ...credentials], body }),
    );
  }
  await attempt(
    expectStatus(400, {
      method,
      target: `${target}${target.includes('?') ? '&' : '?'}undeclared=1`,
      headers: [...headers, ...authorization],
      body,
    }),
  );
  const [call] = fc.sample(operation.calls, { seed, numRuns: 1 });
  if (call) await attempt(expectInexactRefused(operation, call));
  for (const name of operation.int64Fields) {
    const fields = { ...(JSON.parse(body ?? '{}') as object), [name]: 'inexact' };
    const inexact = JSON.stringify(fields).replace('"inexact"', String(2n ** 53n + 1n));
    await attempt(
      expectStatus(400, { method, target, headers: [...headers, ...authorization], body: inexact }),
    );
  }
  if (operation.body) {
    const others = headers.filter(([name]) => name !== 'Content-Type');
    const inText = [...others, ...authorization, ['Content-Type', 'text/plain'] as const];
    await attempt(expectStatus(415, { method, target, headers: inText, body }));
  }
  return problems;
}

try {
  for (const operation of describe(document)) {
    const problems = await problemsOf(operation).catch((error: unknown) => [String(error)]);
    console.log(JSON.stringify({ operation: operation.id, problems }));
  }
} finally {
  wire.close();
  await service.stop();
  removeTestFolders();
}
