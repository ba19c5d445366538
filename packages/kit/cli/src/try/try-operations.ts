import { importClient } from './import-client.ts';
import { Readable } from 'node:stream';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import type { CallError, Options } from '@contract-kit/client';
import type { Contract, Operation as ContractOperation } from '@contract-kit/core';
import { clientNames } from '@contract-kit/core/client-names';
import { entryOf, essenceOf } from '@contract-kit/core/media-type';
import { IDEMPOTENCY_KEY } from '@contract-kit/core/idempotency-key';
import { isObject, type JsonObject } from '@contract-kit/core/json-pointer';
import type { Operation } from '@contract-kit/core/model';
import { serverFactory, toolsOf, type Refusal, type Tool } from '@contract-kit/mcp';
import { startForCheck } from '@contract-kit/server/internals';
import { valuesIn } from '@contract-kit/core/examples';
import { operationsOf } from '@contract-kit/core/operations';
import type { SourceDocument } from '@contract-kit/core/source-document';

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

const PLACES = { path: 'path', query: 'query', header: 'headers', cookie: 'cookies' } as const;

/** Base64, as tools take bytes. */
const BYTES = 'AAE=';

const SEVERAL = 'no value that fits it can be made: give it an example';

/**
 * Calls each operation of a server through the generated client in `folder`, and as a tool for agents: with a request
 * and a response that are made from the contract. Returns what it found, by operation.
 */
export async function tryOperations(
  contract: Contract,
  source: SourceDocument,
  { folder, dataDir }: { readonly folder: string; readonly dataDir: string },
): Promise<Map<string, Finding>> {
  const { CallError, ...generated } = await importClient<Generated>(folder);
  const create = generated[clientNames(contract.name).factory] as (options: Options) => Methods;
  const isRefusal = (error: unknown): error is Refusal => error instanceof CallError;
  const tools = new Map(toolsOf(contract, { deprecated: true }).map((tool) => [tool.name, tool]));
  const valueOf = awayFromLiterals(valuesIn(source), operationsOf(source));
  const { examples, operations } = contract;
  /** Whether the example of an operation is a list of the items of a stream. */
  const isStreamed = (id: string) => {
    const { streams = {}, responseTypes } = operations[id] as ContractOperation;
    const status = examples[id]?.status ?? 0;
    return essenceOf(entryOf(responseTypes, status) ?? '') in (entryOf(streams, status) ?? {});
  };
  let received: Received | undefined;
  const handlerOf = (id: string) => async (input: object) => {
    received = (await withBytes({ ...input })) as Received;
    const { body, ...example } = examples[id] ?? { status: 204 };
    return isStreamed(id) ? { ...example, body: Readable.from(body as unknown[]) } : { ...example, body };
  };
  const service = await startForCheck(contract, { dataDir, handlerOf });
  const baseUrl = service.origin + contract.basePath;
  const client = create({ apiKey: service.key, baseUrl, maxAttempts: 1, onDeprecation: () => undefined });

  async function callTool(tool: Tool, input: JsonObject): Promise<void> {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const server = serverFactory({ contract, isRefusal, tools: [tool], version: '0' })(client as never);
    await server.connect(far);
    const agent = new Client({ name: 'check', version: '0' });
    await agent.connect(near);
    const { isError, content } = await agent.callTool({ name: tool.name, arguments: input });
    await agent.close();
    if (isError) throw new Error(content.map((part) => ('text' in part ? part.text : '')).join(' '));
  }

  async function find(operation: Operation): Promise<Finding | undefined> {
    const { id, method, path } = operation;
    if (method === 'TRACE') return { untried: 'fetch sends no TRACE' };
    const tool = tools.get(id) as Tool;
    const made = requestOf(operation, valueOf);
    if ('untried' in made) return made;
    // The client makes a key itself. A second request with the tool's key would not reach the handler.
    const input = tool.sentOf(
      Object.fromEntries(
        Object.entries(made.input).filter(([name]) => name.toLowerCase() !== IDEMPOTENCY_KEY),
      ),
    );
    const body = operation.body && (operation.body.fields ? made.body : input['body']);
    const example = examples[id];
    const ways = {
      'the generated client': async () => {
        const whole = await client[id]?.(input).reply();
        const reply = whole && { ...whole, body: await collected(whole.body) };
        const sent = method === 'HEAD' ? { ...example, body: undefined } : example;
        const different = lost(sent, reply);
        if (different) throw new Error(`in the response, ${different}`);
      },
      'the tool for agents': () => callTool(tool, made.input),
    };
    for (const [way, call] of Object.entries(ways)) {
      received = undefined;
      const attempt = () => call().catch((error: unknown) => error as Error);
      const first = await attempt();
      // While the compiler has the processor, a server may close a connection that its client is about to use.
      const failure = first?.message.includes('ECONNRESET') ? await attempt() : first;
      const wrong = (what: string) => ({
        wrong: `${method} ${path} through ${way}: ${what}`,
      });
      if (failure && (example || !received)) return wrong(failure.message.split('\n', 1).join());
      const sent = { ...made.parameters, ...(body !== undefined && { body }) };
      const different = lost(sent, received);
      if (different) return wrong(`in the request, ${different}`);
    }
    return example ? undefined : { untried: `its response: ${SEVERAL}` };
  }

  const found = new Map<string, Finding>();
  try {
    for (const operation of operationsOf(source)) {
      const finding = await find(operation);
      if (finding) found.set(operation.id, finding);
    }
  } finally {
    await service.stop();
  }
  return found;
}

/** Values for parameters in paths that are no segment of another path: `/books/{id}` gets no `text` beside `/books/text`. */
function awayFromLiterals(
  valueOf: ReturnType<typeof valuesIn>,
  operations: readonly Operation[],
): ReturnType<typeof valuesIn> {
  const literals = new Set(operations.flatMap(({ path }) => path.split('/')));
  return (view, part) => {
    const value: unknown = valueOf(view, part);
    if (!('in' in part) || part.in !== 'path' || typeof value !== 'string' || !literals.has(value))
      return value;
    return valueOf(view, { ...part, example: `${value}1` });
  };
}

interface Made {
  /** The arguments of the tool. */
  readonly input: JsonObject;
  /** The same by the places of the request, without an Idempotency-Key. */
  readonly parameters: JsonObject;
  readonly body: unknown;
}

/** A request with every parameter and the body, made from the contract. */
export function requestOf(
  { parameters, body }: Operation,
  valueOf: ReturnType<typeof valuesIn>,
): Made | { readonly untried: string } {
  const input: JsonObject = {};
  const places: Record<string, JsonObject> = {};
  for (const parameter of parameters) {
    const value: unknown = valueOf('sent', parameter);
    if (value === undefined) return { untried: `${parameter.name}: ${SEVERAL}` };
    input[parameter.input] = value;
    if (parameter.name.toLowerCase() === IDEMPOTENCY_KEY) continue;
    (places[PLACES[parameter.in]] ??= {})[parameter.name] = value;
  }
  const value: unknown = body?.media.kind === 'bytes' ? BYTES : body && valueOf('sent', body.media);
  if (body && value === undefined) return { untried: `the body: ${SEVERAL}` };
  if (body?.fields) Object.assign(input, value);
  else if (body) input['body'] = value;
  return { input, parameters: places, body: value };
}

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
