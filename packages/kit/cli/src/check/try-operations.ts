import { importClient } from './import-client.ts';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import type { CallError, Options } from '@contract-kit/client';
import { type Contract, clientNames } from '@contract-kit/core';
import { IDEMPOTENCY_KEY } from '@contract-kit/core/http';
import { isObject, type JsonObject } from '@contract-kit/core/json';
import type { Operation } from '@contract-kit/core/model';
import { serverFactory, toolsOf, type Rejection, type Tool } from '@contract-kit/mcp';
import { notYet } from '@contract-kit/server';
import { startForCheck } from '@contract-kit/server/internals';
import { createClock } from '@contract-kit/testing';
import { createFuzzer } from '@contract-kit/testing/fuzzer';
import { examplesIn, type SourceDocument } from '@contract-kit/core/openapi';
import type { Progress } from '../progress.ts';
import { awayFromLiterals, NONE, requestOf } from './made-request.ts';
import { tryPages } from './try-pages.ts';
import { valuesIn, type Values } from '@contract-kit/core/values';

/** What is wrong with an operation, or why a part of it was not tried. */
export type Finding = { readonly wrong: string } | { readonly untried: string };

type Reply = { readonly status: number; readonly headers: object; readonly body: unknown };
type Methods = Record<string, (input?: unknown) => Promise<unknown> & { reply(): Promise<Reply> }>;

/** The entry of the generated client. */
interface Generated {
  readonly CallError: typeof CallError;
  readonly [factory: string]: unknown;
}

/** What the handler gets, by the places of a request. */
type Received = Readonly<Record<string, unknown>>;

/** How the library of tools begins to say that a response does not fit. */
const OF_LIBRARY = /^Output validation error: Invalid structured content for tool \S+: /;

/** A server of the contract that is tried, and how to reach it. */
interface Trial {
  readonly contract: Contract;
  readonly source: SourceDocument;
  readonly service: Service;
  readonly clock: ReturnType<typeof createClock>;
  readonly values: Values;
  readonly client: Methods;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly isRejection: (error: unknown) => error is Rejection;
  /** What the server calls for each request; a step may replace it. */
  handlerOf: AnyHandlers;
  /** What the handler of the last call got; undefined if it was not reached. */
  received: Received | undefined;
}

/**
 * Calls each operation of a server through the generated client in `folder`, and as a tool for agents: with a request
 * and a response that are made from the contract. Then it runs a round of the generated test. Returns what it found, by
 * operation, and what is wrong with its pages.
 */
export async function tryOperations(
  contract: Contract,
  source: SourceDocument,
  { progress, ...options }: TrialOptions,
): Promise<{ readonly found: Map<string, Finding>; readonly ofPages: readonly string[] }> {
  const trial = await startTrial(contract, source, options);
  const { service } = trial;
  const { operations } = source.model;
  const found = new Map<string, Finding>();
  const paths = new Set(operations.map((operation) => contract.basePath + operation.path));
  try {
    for (const [index, operation] of operations.entries()) {
      progress(`Calling operation ${index + 1} of ${operations.length}`);
      const finding = await find(trial, operation);
      if (finding) found.set(operation.id, finding);
    }
    progress('Reading the pages');
    const ofPages = await tryPages(service, paths);
    const isRight = ofPages.length === 0 && [...found.values()].every((finding) => !('wrong' in finding));
    if (isRight) for (const [id, finding] of await findByTest(trial, progress)) found.set(id, finding);
    return { found, ofPages };
  } finally {
    await service.stop();
  }
}

type TrialOptions = Pick<Parameters<typeof startForCheck>[1], 'dataDir' | 'errorBody'> & {
  readonly folder: string;
  readonly progress: Progress;
};

async function startTrial(
  contract: Contract,
  source: SourceDocument,
  { folder, ...options }: Omit<TrialOptions, 'progress'>,
): Promise<Trial> {
  const { CallError, ...generated } = await importClient<Generated>(folder);
  const create = generated[clientNames(contract.name).factory] as (options: Options) => Methods;
  const isRejection = (error: unknown): error is Rejection => error instanceof CallError;
  const { model } = source;
  const tools = new Map(toolsOf(model, { deprecated: true }).map((tool) => [tool.operation, tool]));
  const values = awayFromLiterals(valuesIn(source), model.operations);
  const clock = createClock(Date.now());
  const service: Service = await startForCheck(contract, {
    ...options,
    handlerOf:
      (id) =>
      (...input) =>
        trial.handlerOf(id)(...input),
    model,
    now: clock,
  });
  const baseUrl = service.origin + contract.basePath;
  const client = create({ apiKey: service.key, baseUrl, maxAttempts: 1, onDeprecation: () => undefined });
  const trial: Trial = {
    ...{ contract, source, service, clock, values, client, tools, isRejection },
    handlerOf: (id) => async (input) => {
      trial.received = (await withBytes({ ...input })) as Received;
      return service.exampleOf(id) ?? { status: 204 };
    },
    received: undefined,
  };
  return trial;
}

async function callTool(
  { contract, isRejection, client }: Trial,
  tool: Tool,
  input: JsonObject,
): Promise<void> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = serverFactory({ contract, isRejection, tools: [tool], version: '0' })(client as never);
  await server.connect(far);
  const agent = new Client({ name: 'check', version: '0' });
  await agent.connect(near);
  const { isError, content } = await agent.callTool({ name: tool.name, arguments: input });
  await agent.close();
  if (isError) {
    const told = content.map((part) => ('text' in part ? part.text : '')).join(' ');
    throw new Error(told.replace(OF_LIBRARY, 'in the response, '));
  }
}

/** Tries an operation through the generated client, then as a tool. */
async function find(trial: Trial, operation: Operation): Promise<Finding | undefined> {
  const { contract, source, values } = trial;
  const { id, method } = operation;
  if (method === 'TRACE') return { untried: 'fetch sends no TRACE' };
  const tool = trial.tools.get(id) as Tool;
  const made = requestOf(operation, values);
  if ('untried' in made) return made;
  // The client makes a key itself. A second request with the tool's key would not reach the handler.
  const input = tool.sentOf(
    Object.fromEntries(Object.entries(made.input).filter(([name]) => name.toLowerCase() !== IDEMPOTENCY_KEY)),
  );
  const body = operation.body && (operation.body.fields ? made.body : input['body']);
  const sent = { ...made.parameters, ...(body !== undefined && { body }) };
  const example = contract.examples[id];
  const ways = {
    'the generated client': () => callClient(trial, operation, input),
    'the tool for agents': () => callTool(trial, tool, made.input),
  };
  for (const [way, call] of Object.entries(ways)) {
    const wrong = await wrongWith(trial, call, sent, example !== undefined);
    if (wrong !== undefined) return { wrong: `${method} ${operation.path} through ${way}: ${wrong}` };
  }
  return example
    ? undefined
    : {
        untried: `its response: ${NONE}: ${examplesIn(source).whyNone(operation)}; give it an example`,
      };
}

/** Calls an operation by a method of the client. Throws an Error if its response is not the example. */
async function callClient(
  { contract, client }: Trial,
  { id, method }: Operation,
  input: JsonObject,
): Promise<void> {
  const example = contract.examples[id];
  const whole = await client[id]?.(input).reply();
  const reply = whole && { ...whole, body: await collected(whole.body) };
  const sent = method === 'HEAD' ? { ...example, body: undefined } : example;
  const different = lost(sent, reply);
  if (different) throw new Error(`in the response, ${different}`);
}

/** What is wrong with a call: it fails, or the handler does not get what was sent. */
async function wrongWith(
  trial: Trial,
  call: () => Promise<void>,
  sent: JsonObject,
  hasExample: boolean,
): Promise<string | undefined> {
  trial.received = undefined;
  const attempt = () => call().catch((error: unknown) => error as Error);
  const first = await attempt();
  // While the compiler has the processor, a server may close a connection that its client is about to use.
  const failure = first?.message.includes('ECONNRESET') ? await attempt() : first;
  const [told = ''] = failure?.message.split('\n', 1) ?? [];
  const remedy = told.endsWith('in oneOf') ? ': write anyOf if more than one may fit' : '';
  if (failure && (hasExample || !trial.received)) return told + remedy;
  const different = lost(sent, trial.received);
  return different && `in the request, ${different}`;
}

/** A round of the generated test, as in a new repository: with examples, then with 501. */
async function findByTest(trial: Trial, progress: Progress): Promise<Map<string, Finding>> {
  const { contract, service, clock } = trial;
  const { model } = trial.source;
  const fuzzer = createFuzzer(contract, model);
  const target = await fuzzer.targetOf({ ...service, clock, logged: [] });
  const numRuns = Math.max(LEAST_RUNS, Math.min(MOST_RUNS, Math.ceil(ALL_RUNS / model.operations.length)));
  const found = new Map<string, Finding>();
  for (const [index, operation] of fuzzer.operations.entries()) {
    progress(`Testing operation ${index + 1} of ${fuzzer.operations.length}`);
    try {
      trial.handlerOf = (id) => () => service.exampleOf(id) ?? notYet();
      for (const seed of SEEDS) await fuzzer.fuzz(operation, target, { seed, numRuns });
      trial.handlerOf = () => notYet;
      await fuzzer.fuzzUnfinished(operation, target, { seed: SEEDS.length, numRuns });
    } catch (error) {
      const told = (error as Error).message.split('\n').filter((line) => line.trim() !== '');
      found.set(operation.id, { wrong: `its generated test would fail: ${told.join('; ')}; report it` });
    }
  }
  return found;
}
const SEEDS = [1, 2, 3];
/* Requests to an operation for a seed, and to all of them: a contract of hundreds is checked in seconds. */
const MOST_RUNS = 12;
const LEAST_RUNS = 2;
const ALL_RUNS = 600;

type Service = Awaited<ReturnType<typeof startForCheck>>;
type AnyHandlers = Parameters<typeof startForCheck>[1]['handlerOf'];

/** The items of a stream in a list; another body as it is. */
async function collected(body: unknown): Promise<unknown> {
  if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) return body;
  const items: unknown[] = [];
  for await (const item of body as AsyncIterable<unknown>) items.push(item);
  return items;
}

/** `value` with the bytes of its files in their place. */
async function withBytes(value: unknown): Promise<unknown> {
  if (value instanceof Blob) return new Uint8Array(await value.arrayBuffer());
  if (Array.isArray(value)) return Promise.all(value.map(withBytes));
  if (!isObject(value)) return value;
  const fields = Object.entries(value).map(async ([name, item]) => [name, await withBytes(item)] as const);
  return Object.fromEntries(await Promise.all(fields));
}

/** What of `sent` has not arrived: defaults may be added, and a 64-bit integer is a bigint. */
function lost(sent: unknown, got: unknown, place: readonly string[] = []): string | undefined {
  if (isObject(sent) || Array.isArray(sent)) {
    if (Array.isArray(sent) && sent.length === 0) return undefined;
    const parts: Readonly<Record<string, unknown>> = isObject(got) || Array.isArray(got) ? { ...got } : {};
    return Object.entries(sent)
      .map(([name, item]) => lost(item, parts[name], [...place, name]))
      .find((part) => part !== undefined);
  }
  const text = ArrayBuffer.isView(got) ? Buffer.from(got as Uint8Array).toString() : `${got as string}`;
  const isSame = sent === undefined || `${sent as string}` === text;
  return isSame
    ? undefined
    : `${place.join('.') || 'the body'} is ${short(got)}, and ${short(sent)} was sent; leave that out of the contract, or report it`;
}

const short = (value: unknown) =>
  String(
    JSON.stringify(value, (_name, item: unknown) => (typeof item === 'bigint' ? String(item) : item)),
  ).slice(0, 200);
