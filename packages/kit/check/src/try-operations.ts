import path from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import type { CallError, Options } from '@kit/client';
import type { Contract } from '@kit/contract';
import { clientNames } from '@kit/contract/client-names';
import { isObject, type JsonObject } from '@kit/contract/json-pointer';
import type { Operation } from '@kit/contract/model';
import { createServer, toolsOf, type Refusal, type Tool } from '@kit/mcp';
import { startForCheck } from '@kit/server/checking';
import { valuesIn } from '@kit/tools/examples';
import { operationsOf } from '@kit/tools/operations';
import type { SourceDocument } from '@kit/tools/source-document';

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
  const { CallError, ...generated } = (await import(path.join(folder, 'index.ts'))) as Generated;
  const create = generated[clientNames(contract.name).factory] as (options: Options) => Methods;
  const isRefusal = (error: unknown): error is Refusal => error instanceof CallError;
  const tools = new Map(toolsOf(contract, { deprecated: true }).map((tool) => [tool.name, tool]));
  const valueOf = valuesIn(source);
  const { examples } = contract;
  let received: Received | undefined;
  const handlerOf = (id: string) => (input: object) => {
    received = { ...input };
    return examples[id] ?? { status: 204 };
  };
  const service = await startForCheck(contract, { dataDir, handlerOf });
  const baseUrl = service.origin + contract.basePath;
  const client = create({ apiKey: service.key, baseUrl, maxAttempts: 1, onDeprecation: () => undefined });

  async function callTool(tool: Tool, input: JsonObject): Promise<void> {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const server = createServer({
      contract,
      client: client as never,
      isRefusal,
      tools: [tool],
      version: '0',
    });
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
    const input = tool.sentOf(made.input);
    const body = operation.body && (operation.body.fields ? made.body : input['body']);
    const example = examples[id];
    const ways = {
      'the generated client': async () => {
        const reply = await client[id]?.(input).reply();
        const sent = method === 'HEAD' ? { ...example, body: undefined } : example;
        if (!arrives(sent, reply)) throw new Error(`it reads ${short(reply?.body)} for ${short(sent?.body)}`);
      },
      'the tool for agents': () => callTool(tool, made.input),
    };
    for (const [way, call] of Object.entries(ways)) {
      received = undefined;
      const failure = await call().catch((error: unknown) => error as Error);
      const wrong = (what: string) => ({ wrong: `${method} ${path} through ${way}: ${what}` });
      if (failure && (example || !received)) return wrong(failure.message.split('\n', 1).join());
      const sent = { ...made.parameters, ...(body !== undefined && { body }) };
      if (!arrives(sent, received)) return wrong(`the handler gets ${short(received)} for ${short(sent)}`);
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

interface Made {
  /** The arguments of the tool. */
  readonly input: JsonObject;
  /** The same by the places of the request. */
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
    (places[PLACES[parameter.in]] ??= {})[parameter.name] = value;
  }
  const value: unknown = body?.media.kind === 'bytes' ? BYTES : body && valueOf('sent', body.media);
  if (body && value === undefined) return { untried: `the body: ${SEVERAL}` };
  if (body?.fields) Object.assign(input, value);
  else if (body) input['body'] = value;
  return { input, parameters: places, body: value };
}

/** Whether all of `sent` has arrived: defaults may be added, and a 64-bit integer is a bigint. */
function arrives(sent: unknown, got: unknown): boolean {
  if (typeof sent === 'string' && ArrayBuffer.isView(got))
    return sent === Buffer.from(got as Uint8Array).toString();
  if (Array.isArray(sent))
    return sent.length === 0 || (Array.isArray(got) && sent.every((item, at) => arrives(item, got[at])));
  if (!isObject(sent)) return sent === undefined || `${sent as string}` === `${got as string}`;
  return Object.entries(sent).every(([name, item]) => arrives(item, isObject(got) ? got[name] : undefined));
}

const short = (value: unknown) =>
  String(
    JSON.stringify(value, (_name, item: unknown) => (typeof item === 'bigint' ? String(item) : item)),
  ).slice(0, 200);
