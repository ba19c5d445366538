import type { Response, Schemas } from '@contract-kit/core/model';
import type { JsonObject } from '@contract-kit/core/json';
import { nameOfFile, essenceOf, isJson } from '@contract-kit/core/http';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { firstParagraph } from './first-paragraph.ts';
import { streamOutputOf, type StreamOutput } from './stream-output.ts';

type Scalar = string | number | boolean | null;

export type Input = Readonly<Record<string, unknown>>;

/** Characters of JSON in one part of a list, more only if its first item has more: some 8,000 tokens. */
const MAX_LENGTH = 20_000;

/** The result of a tool for a declared response below 400. */
export interface Output {
  /** The schema of the structured content, always an object. Absent if the response is not JSON. */
  readonly schema?: JsonObject;
  resultOf(data: unknown, input: Input, headers?: Headers): CallToolResult;
  /** If the response may be a stream. */
  readonly stream?: StreamOutput;
}

export interface OutputOptions {
  /** As `Operation.responseTypes` says, or `part` of a list. */
  readonly kind: string;
  readonly response: Response;
  readonly schemas: Schemas;
  /** The schemas of the arguments that identify the resource. */
  readonly subject: JsonObject;
  /** The arguments that filter items by the field of the same name. */
  readonly filters: readonly string[];
  /** The argument that continues a stream. */
  readonly resumedBy: string | undefined;
}

export function outputOf(options: OutputOptions): Output {
  const { content } = options.response;
  // Of HEAD, nothing is read.
  const stream = options.kind === 'none' ? undefined : streamOutputOf(options.response, options.resumedBy);
  const whole = wholeOutputOf(options);
  if (!stream) return whole;
  // Besides other media types, no schema describes all results.
  const isAlone = content.every(({ itemSchema }) => itemSchema);
  return {
    resultOf: (...given) => whole.resultOf(...given),
    stream,
    ...(isAlone && { schema: stream.schema }),
  };
}

/** Of a response that is not streamed. */
function wholeOutputOf(options: OutputOptions): Output {
  const usual = bodyOutputOf(options);
  const output = options.kind === 'none' ? usual : withOtherKinds(usual, options.response);
  if (!options.response.headers.some(({ name }) => name === 'Location')) return output;
  return {
    ...output,
    resultOf(data, input, headers) {
      const { content, ...rest } = output.resultOf(data, input, headers);
      const location = headers?.get('location');
      return { ...rest, content: location ? [...content, textContent(`Location: ${location}`)] : content };
    },
  };
}

/**
 * A handler may send a file where it usually sends JSON: then no schema describes all results. A text is only sent if
 * the handler insists, because the client prefers JSON.
 */
function withOtherKinds(output: Output, { content }: Response): Output {
  const isAlone = new Set(content.map(({ kind }) => kind === 'json')).size < 2;
  if (isAlone) return output;
  const { schema, ...others } = output;
  const isSchemaKept = schema && content.every(({ kind }) => kind !== 'bytes');
  return {
    ...others,
    ...(isSchemaKept && { schema }),
    resultOf(data, input, headers) {
      const type = headers?.get('content-type') ?? 'application/json';
      if (isJson(type)) return output.resultOf(data, input, headers);
      const result = fileOf(type, data as string | Uint8Array, headers);
      // Without structured content, other results break the schema.
      return isSchemaKept ? { ...result, isError: true } : result;
    },
  };
}

function bodyOutputOf({ kind, response, schemas, subject, filters }: OutputOptions): Output {
  const { schema } = response.media ?? {};
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
      if (kind.includes('/') && !response.media?.isScalar)
        return { resultOf: (data, _input, headers) => fileOf(kind, data as string | Uint8Array, headers) };
      return { schema: object({ result: schema }), resultOf: (data) => result({ result: data }) };
  }
}

/** For a response without a body: its meaning, and the resource. */
function outcomeOf(outcome: string, subject: JsonObject): Output {
  const names = Object.keys(subject);
  return {
    schema: object({ outcome: { const: outcome }, ...subject }),
    resultOf: (_data, input) => {
      const of = names.map((name) => `${name}: ${written(input[name])}`).join(', ');
      const named = Object.fromEntries(names.map((name) => [name, input[name]]));
      return result({ outcome, ...named }, of ? `${outcome} (${of})` : outcome);
    },
  };
}

const written = (value: unknown) => (Object(value) === value ? JSON.stringify(value) : String(value));

function object(required: JsonObject, optional?: JsonObject): JsonObject {
  return { type: 'object', properties: { ...required, ...optional }, required: Object.keys(required) };
}

function result(structuredContent: JsonObject, ...texts: string[]): CallToolResult {
  const lines = texts.length > 0 ? texts : [JSON.stringify(structuredContent)];
  return { structuredContent, content: lines.map(textContent) };
}

const textContent = (text: string) => ({ type: 'text' as const, text });

/** Compares as text: a 64-bit integer is a number or text on either side. */
function matches(input: Input, filters: readonly string[]): (item: unknown) => boolean {
  // A field may be called `constructor`, which every object inherits.
  const wanted = filters.filter((name) => Object.hasOwn(input, name));
  return (item) =>
    wanted.every((name) => {
      const value = Object.hasOwn(item as JsonObject, name) ? (item as JsonObject)[name] : undefined;
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

function fileOf(declared: string, data: string | Uint8Array, headers?: Headers): CallToolResult {
  if (typeof data === 'string') return { content: [{ type: 'text', text: data }] };
  const mimeType = essenceOf(headers?.get('content-type') ?? declared);
  const name = nameOfFile(headers?.get('content-disposition') ?? '') || 'file';
  const encoded = Buffer.from(data).toString('base64');
  if (mimeType.startsWith('image/')) return { content: [{ type: 'image', data: encoded, mimeType }] };
  return {
    content: [
      { type: 'resource', resource: { uri: `result:${encodeURIComponent(name)}`, mimeType, blob: encoded } },
    ],
  };
}
