import { schemasOf, type Response } from '@kit/contract/model';
import type { JsonObject } from '@kit/contract/json-pointer';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { firstParagraph } from './first-paragraph.ts';

type Scalar = string | number | boolean | null;

export type Input = Readonly<Record<string, unknown>>;

/** Characters of JSON in one part of a list, more only if its first item has more: some 8,000 tokens. */
const MAX_LENGTH = 20_000;

/** The result of a tool for a declared response below 400. */
export interface Output {
  /** The schema of the structured content, always an object. Absent if the response is not JSON. */
  readonly schema?: JsonObject;
  resultOf(data: unknown, input: Input, location?: string): CallToolResult;
}

export interface OutputOptions {
  /** As `Operation.responseTypes` says, or `part` of a list. */
  readonly kind: string;
  readonly response: Response;
  readonly document: JsonObject;
  /** The schemas of the arguments that identify the resource. */
  readonly subject: JsonObject;
  /** The arguments that filter items by the field of the same name. */
  readonly filters: readonly string[];
}

export function outputOf(options: OutputOptions): Output {
  const output = bodyOutputOf(options);
  if (!options.response.headers.some(({ name }) => name === 'Location')) return output;
  return {
    ...output,
    resultOf(data, input, location) {
      const { content, ...rest } = output.resultOf(data, input);
      return { ...rest, content: location ? [...content, textOf(`Location: ${location}`)] : content };
    },
  };
}

function bodyOutputOf({ kind, response, document, subject, filters }: OutputOptions): Output {
  const { schema } = response.media ?? {};
  const schemas = schemasOf(document);
  switch (kind) {
    case 'none':
      return outcomeOf(firstParagraph(response.description), subject);
    case 'object':
      return {
        schema: { ...schemas.whole(schema), type: 'object' },
        resultOf: (data) => result(data as JsonObject),
      };
    case 'part':
      return {
        schema: object(
          { items: { type: 'array', items: schemas.itemsOf(schema) }, total: { type: 'integer' } },
          { nextOffset: { type: 'integer', description: 'Absent from the last part.' } },
        ),
        resultOf: (data, input) => partOf((data as unknown[]).filter(matches(input, filters)), input),
      };
    default:
      if (kind.includes('/')) return { resultOf: (data) => fileOf(kind, data as string | Uint8Array) };
      return { schema: object({ result: schema }), resultOf: (data) => result({ result: data }) };
  }
}

/** For a response without a body: its meaning, and the resource. */
function outcomeOf(outcome: string, subject: JsonObject): Output {
  const names = Object.keys(subject);
  return {
    schema: object({ outcome: { const: outcome }, ...subject }),
    resultOf: (_data, input) => {
      const of = names.map((name) => `${name}: ${String(input[name])}`).join(', ');
      const named = Object.fromEntries(names.map((name) => [name, input[name]]));
      return result({ outcome, ...named }, of ? `${outcome} (${of})` : outcome);
    },
  };
}

function object(required: JsonObject, optional?: JsonObject): JsonObject {
  return { type: 'object', properties: { ...required, ...optional }, required: Object.keys(required) };
}

function result(structuredContent: JsonObject, ...texts: string[]): CallToolResult {
  const lines = texts.length > 0 ? texts : [JSON.stringify(structuredContent)];
  return { structuredContent, content: lines.map(textOf) };
}

const textOf = (text: string) => ({ type: 'text' as const, text });

/** Compares as text: a 64-bit integer is a number or text on either side. */
function matches(input: Input, filters: readonly string[]): (item: unknown) => boolean {
  const wanted = filters.filter((name) => input[name] !== undefined);
  return (item) =>
    wanted.every((name) => {
      const value = (item as JsonObject)[name];
      return value !== undefined && `${value as Scalar}` === `${input[name] as Scalar}`;
    });
}

/** The items from `offset` on: at most `limit`, and as many as fit into a model's context. */
function partOf(list: readonly unknown[], { offset = 0, limit = Infinity }: Input): CallToolResult {
  const start = offset as number;
  const rest = list.slice(start, start + (limit as number));
  let length = 0;
  const fitting = rest.findIndex((item) => (length += JSON.stringify(item).length) > MAX_LENGTH);
  const items = fitting === -1 ? rest : rest.slice(0, Math.max(fitting, 1));
  const nextOffset = start + items.length;
  if (nextOffset >= list.length) return result({ items, total: list.length });
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
