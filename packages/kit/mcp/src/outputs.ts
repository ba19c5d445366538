import { dereferenced, objectAt } from '@kit/contract/described-operation';
import type { JsonObject } from '@kit/contract/json-pointer';
import type { CallToolResult } from '@modelcontextprotocol/server';

/** Characters of JSON in one part of a list, more only where its first item has more: some 8,000 tokens. */
const MAX_LENGTH = 20_000;

/** What a tool gives for a response below 400 that the contract declares. */
export interface Output {
  /** Of the structured content, always an object. Absent where the response is not JSON. */
  readonly schema?: JsonObject;
  resultOf(data: unknown, offset?: number): CallToolResult;
}

/** The output for `response`, whose body is of `kind`: as `Operation.responseTypes` says, or `part` of a list. */
export function outputOf(kind: string, status: number, response: JsonObject, document: JsonObject): Output {
  const meaning = String(response['description']).trim();
  const { schema } = objectAt(objectAt(response, 'content'), 'application/json');
  const whole = dereferenced(schema, document);
  switch (kind) {
    case 'none':
      return {
        schema: object({ status: { const: status, description: meaning } }),
        resultOf: () => result({ status }, `${status}: ${meaning}`),
      };
    case 'object':
      return { schema: whole, resultOf: (data) => result(data as JsonObject) };
    case 'part':
      return {
        schema: object(
          { items: { type: 'array', items: whole['items'] }, total: { type: 'integer' } },
          { nextOffset: { type: 'integer', description: 'Absent from the last part.' } },
        ),
        resultOf: (data, offset = 0) => partOf(data as unknown[], offset),
      };
    default:
      if (kind.includes('/')) return { resultOf: (data) => fileOf(kind, data as string | Uint8Array) };
      return { schema: object({ result: schema }), resultOf: (data) => result({ result: data }) };
  }
}

function object(required: JsonObject, optional?: JsonObject): JsonObject {
  return { type: 'object', properties: { ...required, ...optional }, required: Object.keys(required) };
}

function result(structuredContent: JsonObject, ...texts: string[]): CallToolResult {
  const said = texts.length > 0 ? texts : [JSON.stringify(structuredContent)];
  return { structuredContent, content: said.map((text) => ({ type: 'text', text })) };
}

/** As many items from `offset` on as do not fill a model's context. */
function partOf(list: readonly unknown[], offset: number): CallToolResult {
  const rest = list.slice(offset);
  let length = 0;
  const fitting = rest.findIndex((item) => (length += JSON.stringify(item).length) > MAX_LENGTH);
  if (fitting === -1) return result({ items: rest, total: list.length });
  const items = rest.slice(0, Math.max(fitting, 1));
  const nextOffset = offset + items.length;
  const part = { items, total: list.length, nextOffset };
  const note = `These are ${items.length} of ${list.length} items. Call again with offset ${nextOffset} for more.`;
  return result(part, JSON.stringify(part), note);
}

function fileOf(mimeType: string, data: string | Uint8Array): CallToolResult {
  if (typeof data === 'string') return { content: [{ type: 'text', text: data }] };
  const encoded = Buffer.from(data).toString('base64');
  if (mimeType.startsWith('image/')) return { content: [{ type: 'image', data: encoded, mimeType }] };
  return { content: [{ type: 'resource', resource: { uri: 'result:file', mimeType, blob: encoded } }] };
}
