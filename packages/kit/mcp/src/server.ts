import {
  fromJsonSchema,
  McpServer,
  type CallToolResult,
  type jsonSchemaValidator,
  type JsonSchemaValidator,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { clientNames } from '@kit/contract/client-names';
import { objectAt } from '@kit/contract/model';
import { entryOf } from '@kit/contract/media-type';
import type { Contract } from '@kit/contract';
import { argumentCheck } from './arguments.ts';
import { catalogueOf, type CatalogueTool } from './catalogue.ts';
import { firstParagraph } from './first-paragraph.ts';
import type { Input } from './outputs.ts';
import { progressOf, type Wait } from './progress.ts';
import { invalidArguments, refusalOf, type ErrorMeanings, type Refusal } from './refusals.ts';
import type { Tool } from './tools.ts';

type Method = (
  input: Input,
  options: { readonly signal: AbortSignal },
) => Promise<unknown> & { reply(): Promise<{ readonly status: number; readonly rawHeaders: Headers }> };

/** Also has a method for each tool. */
interface Client {
  withOptions(options: { readonly onWait: (wait: Wait) => Promise<void> }): object;
}

/** The most separate tools: the descriptions of more would fill a model's context. */
const MAX_TOOLS = 30;

export interface ServerOptions {
  readonly contract: Pick<Contract, 'name' | 'document'>;
  readonly client: Client;
  /** Whether a thrown value is an error of the client, not a bug. */
  readonly isRefusal: (error: unknown) => error is Refusal;
  readonly tools: readonly Tool[];
  readonly version: string;
}

/** A server of `tools`, each of which calls the client's method of its name. Above 30, with tools to search them. */
export function createServer({ contract, client, isRefusal, tools, version }: ServerOptions): McpServer {
  const { name: service, document } = contract;
  const { title, summary, description } = objectAt(document, 'info');
  const errors = objectAt(document, 'x-error-codes') as ErrorMeanings;
  const names = clientNames(service);

  async function call(tool: Tool, input: Input, context: ServerContext): Promise<CallToolResult> {
    const { name, sentOf, outputs, annotations } = tool;
    try {
      const telling = client.withOptions({ onWait: progressOf(context) }) as Readonly<Record<string, Method>>;
      const called = (telling[name] as Method)(sentOf(input), { signal: context.mcpReq.signal });
      const data = await called;
      const { status, rawHeaders } = await called.reply();
      const output = entryOf(outputs, status);
      if (!output) throw new Error(`${name}: a response that the contract does not declare`);
      return output.resultOf(data, input, rawHeaders.get('location') ?? undefined);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return refusalOf(error, annotations, errors, names);
    }
  }

  const callable = tools.map((tool) =>
    checked({ ...tool, run: (input, context) => call(tool, input, context) }),
  );
  const listed = tools.length > MAX_TOOLS ? catalogueOf(callable).map(checked) : callable;
  const instructions = [[title, summary].filter(Boolean).join(': '), firstParagraph(description)];
  const server = new McpServer(
    { name: `${service}-mcp`, title: String(title), version },
    { capabilities: { tools: {} }, instructions: instructions.filter(Boolean).join('\n\n') },
  );
  for (const { run, inputSchema, outputSchema, ...described } of listed) {
    const config = {
      title: described.title,
      description: described.description,
      annotations: described.annotations,
      inputSchema: fromJsonSchema<Input>(inputSchema, unchecked),
      ...(outputSchema && { outputSchema: fromJsonSchema(outputSchema) }),
    };
    server.registerTool(described.name, config, run);
  }
  return server;
}

/** `tool`, which first checks its arguments. The check is compiled for the first call. */
function checked(tool: CatalogueTool): CatalogueTool {
  let check: ReturnType<typeof argumentCheck> | undefined;
  const run: CatalogueTool['run'] = (input, context) => {
    check ??= argumentCheck(tool.inputSchema);
    const problems = check(input);
    return problems.length > 0 ? invalidArguments(problems) : tool.run(input, context);
  };
  return { ...tool, run };
}

/** `checked` checks arguments, with better messages. */
const unchecked: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (data) => ({ valid: true, data: data as T, errorMessage: undefined });
  },
};
