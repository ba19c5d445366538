import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { attachment, essenceOf, isText, matching } from '@contract-kit/core/http';

/** A body that is sent while it is read: a Blob or a File, or bytes that arrive over time, such as a stream. */
export type FileBody = Blob | AsyncIterable<Uint8Array>;

export function isFileBody(body: unknown): body is FileBody {
  return body instanceof Blob || isAsyncIterable(body);
}

export function isAsyncIterable<Item>(body: unknown): body is AsyncIterable<Item> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/**
 * A body that a handler returned, whose stream can end no process and closes with the response: it may fail before it is
 * read, or never be read, such as of a HEAD, of an invalid response, or if the client has left.
 */
export function heldBody(given: unknown, res: ServerResponse): unknown {
  const body = given instanceof ReadableStream ? Readable.fromWeb(given, { objectMode: true }) : given;
  if (!(body instanceof EventEmitter && 'destroy' in body)) return body;
  body.on('error', () => undefined);
  const close = () => void (body as Readable).destroy();
  if (res.closed) close();
  else res.once('close', close);
  return body;
}

/** The bytes of `body`, once. */
export async function* bytesOf(body: FileBody): AsyncGenerator<Uint8Array, void> {
  yield* body instanceof Blob ? body.stream() : body;
}

/**
 * The headers that describe `body`: its length, its type if that is among those that are `declared`, and the name of a
 * File, for the reader to save it under.
 */
export function headersOfFile(body: FileBody, declared: readonly string[]): Record<string, string | number> {
  if (!(body instanceof Blob)) return {};
  const isDeclared =
    body.type !== '' &&
    matching(
      declared.map((type) => ({ type })),
      body.type,
    );
  const name = 'name' in body ? String(body.name) : '';
  return {
    ...(isDeclared && { 'Content-Type': withCharset(body.type) }),
    ...(name !== '' && { 'Content-Disposition': attachment(name) }),
    'Content-Length': body.size,
  };
}

function withCharset(type: string): string {
  return isText(type) && essenceOf(type) === type ? `${type}; charset=utf-8` : type;
}
