import { eitherOf, type Response } from '@contract-kit/core/model';
import type { JsonObject } from '@contract-kit/core/json';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Collected } from './collect.ts';

/** The result of a tool for the first items of a stream. */
export interface StreamOutput {
  readonly schema: JsonObject;
  resultOf(collected: Collected): CallToolResult;
}

/**
 * Of a response that is a stream, perhaps beside other media types; undefined if it is none. `resumedBy` is the argument that
 * carries the `Last-Event-ID`, if the operation has one.
 */
export function streamOutputOf(
  { content }: Response,
  resumedBy: string | undefined,
): StreamOutput | undefined {
  const schemas = content.flatMap(({ itemSchema }) => (itemSchema ? [itemSchema] : []));
  if (schemas.length === 0) return undefined;
  return {
    schema: {
      type: 'object',
      properties: {
        items: { type: 'array', items: eitherOf(schemas) },
        ended: { type: 'boolean', description: 'Whether there are no more.' },
      },
      required: ['items', 'ended'],
    },
    resultOf({ items, ended, broken }) {
      const structuredContent = { items, ended };
      const notes = ended ? [] : [noteOf(items, broken, resumedBy)];
      const content = [JSON.stringify(structuredContent), ...notes].map((text) => ({
        type: 'text' as const,
        text,
      }));
      return { structuredContent, content };
    },
  };
}

function noteOf(
  items: readonly unknown[],
  broken: string | undefined,
  resumedBy: string | undefined,
): string {
  const what = broken === undefined ? 'The stream goes on' : `The stream broke off (${broken})`;
  const last = items.findLast((item) => idOf(item) !== undefined);
  const how =
    resumedBy !== undefined && last !== undefined
      ? `Call again with ${resumedBy} ${JSON.stringify(idOf(last))} for the items after these.`
      : 'A new call does not continue after these items.';
  return `These are ${items.length} items. ${what}. ${how}`;
}

/** The id of an event (WHATWG HTML §9.2.6). */
function idOf(item: unknown): string | undefined {
  const { id } = Object(item) as { id?: unknown };
  return typeof id === 'string' && id !== '' ? id : undefined;
}
