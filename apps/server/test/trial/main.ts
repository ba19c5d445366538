import { readFileSync } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import { createPetstore, type RequestReply } from '@petstore/client';
import { basePath } from '@petstore/contract';
import { isObject, type JsonObject } from '@petstore/contract/json-pointer';
import fc from 'fast-check';
import { parse } from 'yaml';
import { inputsOf } from '../fuzz/inputs.ts';
import { dereferenced } from '@petstore/contract/described-operation';
import type { Header } from '../fuzz/operations.ts';
import { askRaw, type RawRequest } from '../support/raw.ts';
import { startTestService } from '../support/service.ts';
import { echo } from './echo.ts';
import { expectEqual } from './expect-equal.ts';
import { expectFaked, expectPages, itemsOf } from './entries.ts';
import { describe, type Answer, type Call, type Described, type IntegerField } from './described.ts';

/*
 * Calls every operation of openapi.yaml through the client's methods, with handlers that echo, and over raw HTTP where
 * the contract forbids it. Prints what differs from the contract as JSON: a list of texts for each operation, and last what
 * is published, by its path.
 */

const HOUR = 3_600_000;
const runs = Number(process.argv[2] ?? 30);
const seed = Number(process.argv[3] ?? 20261122);

type Method = (input?: JsonObject) => Promise<unknown> & {
  reply(): Promise<RequestReply & { headers: JsonObject }>;
};

const document = parse(readFileSync(path.resolve(import.meta.dirname, '../../../../openapi.yaml'), 'utf8'), {
  maxAliasCount: -1,
}) as JsonObject;
const service = await startTestService();
const QUOTA = 1e9;
const key = await service.key('enterprise', { perMinute: QUOTA, perDay: QUOTA });

/** A client of its own for each call: what a reply says of quotas must not hold up the next one. */
const newPetstore = () =>
  createPetstore({
    apiKey: key,
    baseUrl: service.origin + basePath,
    maxAttempts: 1,
    onDeprecation: () => undefined,
    onRequest: ({ headers }) => void (accepted = headers['accept']?.split(',')),
  });

let accepted: string[] | undefined;

async function callThrough({ id }: Described, { input, given }: Call, answer: Answer): Promise<void> {
  service.clock.advance(HOUR);
  Object.assign(echo, { answer, operation: undefined, input: undefined });
  const call = (newPetstore() as unknown as Record<string, Method>)[id]?.(input);
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
  expectEqual('the quota that the call counts against', reply.rateLimit?.limit, QUOTA);
  if (answer.status === 304) expectEqual('its length', reply.rawHeaders.get('content-length'), null);
  const [type = ''] = reply.rawHeaders.get('content-type')?.split(';') ?? [];
  if (type && !accepted?.includes(type)) throw new Error(`the client does not accept ${type}`);
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
    if (Array.isArray(data))
      expectEqual('the items of the stream', await itemsOf(newPetstore(), id, input), answer.body);
  } else {
    expectEqual('the code of the error', error?.code, (answer.body as { code: string }).code);
  }
}

/**
 * That the client sends nothing as a 64-bit integer that it may have been given rounded, or that is none, nothing in a
 * path that would lead to another one, and no request without the body that it needs.
 */
async function expectInexactRefused(
  { id, parameters, body, integerFields }: Described,
  { input }: Call,
): Promise<void> {
  const inputs = [
    ...parameters
      .filter(({ schema }) => dereferenced(schema['items'] ?? schema, document)['format'] === 'int64')
      .flatMap(({ name, schema }) =>
        [2 ** 53, 1.5, '01', 2n ** 63n].map((value) => {
          return { ...input, [name]: schema['type'] === 'array' ? [value] : value };
        }),
      ),
    ...parameters
      .filter(
        ({ in: place, schema }) => place === 'path' && dereferenced(schema, document)['type'] === 'string',
      )
      .flatMap(({ name }) => ['', '.', '..'].map((value) => ({ ...input, [name]: value }))),
    ...(body?.required && 'body' in input ? [{ ...input, body: undefined }] : []),
    ...integerFields.map((field) =>
      isObject(input['body'])
        ? { ...input, body: { ...input['body'], ...valueOf(field, 2 ** 53) } }
        : { ...input, ...valueOf(field, 2 ** 53) },
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

/** That a client without a key calls what is open, and sends nothing where a key is asked for. */
async function expectKeyless({ id, secured }: Described, { input }: Call, answer: Answer): Promise<void> {
  Object.assign(echo, { answer, operation: undefined });
  const options = { baseUrl: service.origin + basePath, maxAttempts: 1, onDeprecation: () => undefined };
  const call = (createPetstore(options) as unknown as Record<string, Method>)[id]?.(input);
  const code = await call?.then(
    () => undefined,
    (error: Error & { code?: string }) => error.code,
  );
  expectEqual(
    'without a key',
    [code, echo.operation],
    secured ? ['invalid_input', undefined] : [undefined, id],
  );
}

function valueOf<Value>({ name, isList }: IntegerField, value: Value): Record<string, Value | Value[]> {
  return { [name]: isList ? [value] : value };
}

async function expectStatus(status: number | readonly number[], request: RawRequest): Promise<void> {
  service.clock.advance(HOUR);
  const answer = await askRaw(service.origin, request);
  if ([status].flat().includes(answer.status)) return;
  const { method, target, headers, body } = request;
  throw new Error(
    `${answer.status}, not ${String(status)}, for ${method} ${target} ${JSON.stringify(headers)} ${String(body).slice(0, 300)}: ${await answer.text()}`,
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

  if (!operation.isInternal)
    await property<[Call, Answer]>([operation.calls, operation.answers], (call, answer) =>
      callThrough(operation, call, answer),
    );

  const attempt = (each: Promise<void>) => each.catch((error: unknown) => void problems.push(String(error)));
  const [sample] = fc.sample(operation.calls, { seed, numRuns: 1 });
  if (sample && !operation.isInternal) await attempt(expectFaked(operation.id, sample.input));
  if (operation.id === 'findPets') await attempt(expectPages(newPetstore));

  const alternatives = operation.alternatives.map((credentials) => credentials(key));
  const [authorization = []] = alternatives;
  const { fitting, unfitting } = inputsOf(operation);
  const { method } = operation;
  if (unfitting) {
    // Not by a filter: to what is any text alone, every value fits.
    await property([unfitting], async ({ verdict, target, headers, body }) => {
      if (verdict !== 'invalid') return;
      await expectStatus(operation.body && body === undefined ? [400, 415] : 400, {
        method,
        target,
        headers: [...headers, ...authorization],
        body,
      });
    });
  }
  const [right] = fc.sample(
    fitting.filter(
      ({ verdict, body }) => verdict === 'valid' && (body !== undefined) === (operation.body !== undefined),
    ),
    { seed, numRuns: 1 },
  );
  if (!right) return problems;
  const { target, headers, body } = right;
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
  if (sample && answer && !operation.isInternal) {
    await attempt(expectKeyless(operation, sample, answer));
    await attempt(expectInexactRefused(operation, sample));
  }
  for (const field of operation.integerFields) {
    for (const number of ['9007199254740993', '9007199254740992', '9007199254740990.6', '1.5']) {
      const fields = { ...(JSON.parse(body ?? '{}') as object), ...valueOf(field, 'inexact') };
      const inexact = JSON.stringify(fields).replace('"inexact"', number);
      await attempt(
        expectStatus(400, { method, target, headers: [...headers, ...authorization], body: inexact }),
      );
    }
  }
  for (const field of operation.int64Answers) {
    Object.assign(echo, { answer: { ...answer, status: 200, body: valueOf(field, 2 ** 53) } });
    await attempt(expectStatus(500, { method, target, headers: [...headers, ...authorization], body }));
  }
  if (operation.body) {
    const others = [...headers.filter(([name]) => name !== 'Content-Type'), ...authorization];
    const json = ['Content-Type', 'Application/JSON; charset=utf-8'] as const;
    const sent = (status: number, type: readonly Header[], text?: string | Buffer) =>
      attempt(expectStatus(status, { method, target, headers: [...others, ...type], body: text }));
    await sent(415, [], body);
    await sent(415, [['Content-Type', 'text/plain']], body);
    await sent(415, [json, ['Content-Encoding', 'gzip']], body);
    await sent(400, [json], Buffer.from('"\xff"', 'latin1'));
    await sent(400, [json], '{"name":"","children":['.repeat(4_000));
    await sent(400, [json], JSON.stringify('a'.repeat(100_000)));
    if (operation.body.required) await sent(400, []);
  }
  return problems;
}

try {
  for (const operation of describe(document)) {
    const problems = await problemsOf(operation).catch((error: unknown) => [String(error)]);
    console.log(JSON.stringify({ operation: operation.id, problems }));
  }
  const pages = ['/openapi.json', '/openapi.yaml', '/docs', '/docs.md', '/llms.txt'].map(async (page) => {
    return [page, await (await service.request(page)).text()] as const;
  });
  console.log(JSON.stringify(Object.fromEntries(await Promise.all(pages))));
} finally {
  await service.stop();
}
