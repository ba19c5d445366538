import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Caller } from './caller.ts';
import type { Input } from './outputs.ts';
import { failed } from './rejections.ts';
import type { Tool } from './tools.ts';

/** The description of a tool for a client, and its function. */
export interface CatalogueTool extends Pick<
  Tool,
  'name' | 'title' | 'description' | 'inputSchema' | 'annotations'
> {
  readonly check?: Tool['check'];
  readonly outputSchema?: Tool['outputSchema'];
  readonly run: (input: Input, caller: Caller) => Promise<CallToolResult> | CallToolResult;
}

/** The most operations in a search result. */
const MAX_FOUND = 20;

const name = { type: 'string', description: 'The name of an operation, as search gives it.' };
const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** Three tools instead of one per operation: search, describe, call. */
export function catalogueOf(tools: readonly CatalogueTool[]): CatalogueTool[] {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const unknown = (wanted: unknown) =>
    failed([`There is no operation ${String(wanted)}. Find its name with search.`, 'Code: invalid_input.']);
  return [
    {
      name: 'search',
      title: 'Search operations',
      description: `Finds operations of this API by words. There are ${tools.length}. Then describe one, and call it.`,
      inputSchema: objectOf({
        query: { type: 'string', description: 'Words of what to do; empty for all.' },
      }),
      annotations: READ_ONLY,
      run: ({ query }) => {
        const found = search(tools, query as string);
        const operations = found.slice(0, MAX_FOUND).map(({ name, title }) => ({ name, title }));
        return json({ operations, total: found.length });
      },
    },
    {
      name: 'describe',
      title: 'Describe an operation',
      description:
        'Gives the description of an operation, the schemas of its arguments and result, and its hints.',
      inputSchema: objectOf({ name }),
      annotations: READ_ONLY,
      run: ({ name }) => {
        const tool = byName.get(name as string);
        if (!tool) return unknown(name);
        const { title, description, annotations, inputSchema, outputSchema } = tool;
        return json({ name, title, description, annotations, inputSchema, outputSchema });
      },
    },
    {
      name: 'call',
      title: 'Call an operation',
      description: 'Calls an operation with the arguments that describe gives for it.',
      inputSchema: objectOf({ name }, { arguments: { type: 'object' } }),
      annotations: {
        readOnlyHint: tools.every(({ annotations }) => annotations.readOnlyHint),
        destructiveHint: tools.some(({ annotations }) => annotations.destructiveHint),
        idempotentHint: tools.every(({ annotations }) => annotations.idempotentHint),
        openWorldHint: false,
      },
      run: ({ name, arguments: input = {} }, caller) => {
        const tool = byName.get(name as string);
        return tool ? tool.run(input as Input, caller) : unknown(name);
      },
    },
  ];
}

/** The tools with the most of the words, first in the name. */
function search(tools: readonly CatalogueTool[], query: string): CatalogueTool[] {
  const words = query.toLowerCase().match(/[\p{L}\d]{3,}/gu) ?? [];
  const scored = tools.map((tool) => {
    const { name, title, description } = tool;
    const heading = `${name} ${title}`.toLowerCase();
    const text = description.toLowerCase();
    const score = words.reduce(
      (sum, word) => sum + (heading.includes(word) ? 2 : text.includes(word) ? 1 : 0),
      0,
    );
    return { tool, score };
  });
  return scored
    .filter(({ score }) => score > 0 || words.length === 0)
    .sort((one, other) => other.score - one.score)
    .map(({ tool }) => tool);
}

function objectOf(required: Input, optional: Input = {}) {
  const properties = { ...required, ...optional };
  return { type: 'object', properties, required: Object.keys(required), additionalProperties: false };
}

function json(value: Record<string, unknown>): CallToolResult {
  return { structuredContent: value, content: [{ type: 'text', text: JSON.stringify(value) }] };
}
