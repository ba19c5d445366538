import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import type { Contract } from '@kit/contract';
import { clientNames } from '@kit/contract/client-names';
import { refusalOf, type ErrorMeanings, type Refusal } from './refusals.ts';
import type { Tool } from './tools.ts';

type Input = Readonly<Record<string, unknown>>;
type Method = (
  input: Input,
  options: { readonly signal: AbortSignal },
) => Promise<unknown> & { reply(): Promise<{ readonly status: number }> };

export interface ServerOptions {
  /** Has a method for each tool. */
  readonly client: object;
  /** Whether what a method threw is an error of the client, rather than a fault of the program. */
  readonly isRefusal: (error: unknown) => error is Refusal;
  readonly tools: readonly Tool[];
  readonly version: string;
}

/** A server of `tools`, each of which calls the client's method of its name. */
export function createServer(contract: Contract, options: ServerOptions): McpServer {
  const { client, isRefusal, tools, version } = options;
  const { info, 'x-error-codes': errors } = contract.document as {
    info: { title: string };
    'x-error-codes': ErrorMeanings;
  };
  const server = new McpServer(
    { name: `${contract.name}-mcp`, title: info.title, version },
    { capabilities: { tools: {} } },
  );
  const methods = client as Readonly<Record<string, Method>>;
  const { keyVariable } = clientNames(contract.name);
  for (const { name, inputSchema, outputSchema, outputs, isPaged, ...described } of tools) {
    const config = {
      ...described,
      inputSchema: fromJsonSchema<Input>(inputSchema),
      ...(outputSchema && { outputSchema: fromJsonSchema(outputSchema) }),
    };
    server.registerTool(name, config, async (input, { mcpReq: { signal } }) => {
      try {
        const { offset, ...rest } = input;
        const call = (methods[name] as Method)(isPaged ? rest : input, { signal });
        const data = await call;
        const output = outputs[(await call.reply()).status];
        if (!output) throw new Error(`${name}: a response that the contract does not declare`);
        return output.resultOf(data, offset as number | undefined);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        return refusalOf(error, described.annotations, errors, keyVariable);
      }
    });
  }
  return server;
}
