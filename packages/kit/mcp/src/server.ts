import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { PetstoreError, type CallOptions, type Petstore } from '@petstore/client';
import { refusalOf, type ErrorMeanings } from './refusals.ts';
import type { Tool } from './tools.ts';

type Input = Readonly<Record<string, unknown>>;
type Method = (
  input: Input,
  options: CallOptions,
) => Promise<unknown> & { reply(): Promise<{ readonly status: number }> };

export interface ServerOptions {
  readonly petstore: Petstore;
  readonly tools: readonly Tool[];
  readonly errors: ErrorMeanings;
  readonly title: string;
  readonly version: string;
}

/** A server of `tools`, each of which calls the client's method of its name. */
export function createServer({ petstore, tools, errors, title, version }: ServerOptions): McpServer {
  const server = new McpServer({ name: 'petstore-mcp', title, version }, { capabilities: { tools: {} } });
  const methods = petstore as unknown as Readonly<Record<string, Method>>;
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
        if (!output) throw new Error(`${name}: a reply that the contract does not declare`);
        return output.resultOf(data, offset as number | undefined);
      } catch (error) {
        if (!(error instanceof PetstoreError)) throw error;
        return refusalOf(error, described.annotations, errors);
      }
    });
  }
  return server;
}
