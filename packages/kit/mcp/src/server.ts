import {
  fromJsonSchema,
  McpServer,
  type CallToolResult,
  type jsonSchemaValidator,
  type JsonSchemaValidator,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { objectAt } from '@contract-kit/core/model';
import { entryOf } from '@contract-kit/core/http';
import type { Contract } from '@contract-kit/core';
import { argumentChecks, type ArgumentCheck } from './arguments.ts';
import type { Caller, Client } from './caller.ts';
import { catalogueOf, type CatalogueTool } from './catalogue.ts';
import { collect, isStream } from './collect.ts';
import { firstParagraph } from './first-paragraph.ts';
import type { Input } from './outputs.ts';
import { progressOf, waitText, type Wait } from './progress.ts';
import {
  adviceOf,
  invalidArguments,
  resultOfRejection,
  type Advice,
  type ErrorMeanings,
  type Rejection,
} from './rejections.ts';
import type { Tool } from './tools.ts';

type Method = (
  input: Input,
  options: { readonly signal: AbortSignal },
) => Promise<unknown> & { reply(): Promise<{ readonly status: number; readonly rawHeaders: Headers }> };

/** The most separate tools: the descriptions of more would fill a model's context. */
const MAX_TOOLS = 30;

export interface ServerOptions {
  readonly contract: Pick<Contract, 'name' | 'document'>;
  /** Whether a thrown value is an error of the client, not a bug. */
  readonly isRejection: (error: unknown) => error is Rejection;
  readonly tools: readonly Tool[];
  readonly version: string;
  /** What a model asks the user to check. Default: the environment of a process of the user. */
  readonly advice?: Advice;
}

/**
 * Returns a function that makes a server of `tools`, each of which calls the method of its name of the server's client.
 * Above 30, with tools to search them. Schemas are compiled once, for all servers.
 */
export function serverFactory(options: ServerOptions): (client: Client) => McpServer {
  const { contract, isRejection, tools, version } = options;
  const { name: service, document } = contract;
  const { title, summary, description } = objectAt(document, 'info');
  const errors = objectAt(document, 'x-error-codes') as ErrorMeanings;
  const advice = options.advice ?? adviceOf(service);

  async function call(tool: Tool, input: Input, { client, context }: Caller): Promise<CallToolResult> {
    const { operation, sentOf, outputs, annotations } = tool;
    try {
      const report = progressOf(context);
      const onWait = (wait: Wait) => report(waitText(wait));
      const telling = client.withOptions({ onWait }) as Readonly<Record<string, Method>>;
      const called = (telling[operation] as Method)(sentOf(input), { signal: context.mcpReq.signal });
      const data = await called;
      const { status, rawHeaders } = await called.reply();
      const output = entryOf(outputs, status);
      if (!output) throw new Error(`${operation}: a response that the contract does not declare`);
      if (output.stream && isStream(data)) {
        const onItem = (count: number) => report(`Item ${count} has arrived.`);
        return output.stream.resultOf(await collect(data, onItem));
      }
      return output.resultOf(data, input, rawHeaders);
    } catch (error) {
      if (!isRejection(error)) throw error;
      return resultOfRejection(error, annotations, errors, advice);
    }
  }

  const callable = tools.map((tool) =>
    checked({ ...tool, run: (input, caller) => call(tool, input, caller) }),
  );
  // The one of the library would keep every schema forever.
  const validator = new AjvJsonSchemaValidator();
  const listed = tools.length > MAX_TOOLS ? catalogueOf(callable).map(checked) : callable;
  const registered = listed.map(({ name, run, inputSchema, outputSchema, ...described }) => {
    const config = {
      title: described.title,
      description: described.description,
      annotations: described.annotations,
      inputSchema: fromJsonSchema<Input>(inputSchema, unchecked),
      ...(outputSchema && { outputSchema: fromJsonSchema(outputSchema, validator) }),
    };
    return { name, config, run };
  });
  const instructions = [[title, summary].filter(Boolean).join(': '), firstParagraph(description)];
  return (client) => {
    const server = new McpServer(
      { name: `${service}-mcp`, title: String(title), version },
      {
        capabilities: { tools: { listChanged: false } },
        instructions: instructions.filter(Boolean).join('\n\n'),
      },
    );
    for (const { name, config, run } of registered)
      server.registerTool(name, config, (input, context) => run(input, { client, context }));
    return server;
  };
}

/** `tool`, which first checks its arguments. The check is compiled for the first call. */
function checked(tool: CatalogueTool): CatalogueTool {
  let check: ArgumentCheck | undefined;
  const run: CatalogueTool['run'] = (input, caller) => {
    check ??= tool.check?.() ?? argumentChecks()(tool.inputSchema);
    const problems = check(input);
    return problems.length > 0 ? invalidArguments(problems) : tool.run(input, caller);
  };
  return { ...tool, run };
}

/** `checked` checks arguments, with better messages. */
const unchecked: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (data) => ({ valid: true, data: data as T, errorMessage: undefined });
  },
};
