import { dataFormOf, type StreamForm } from '@contract-kit/core/http';
import { createEventReader, type Position } from './event-stream.ts';
import { createLineReader } from './lines.ts';

/** Returns the items that further bytes of a stream complete; without bytes, those that its end does. */
export type ItemReader = (bytes?: Uint8Array) => Iterable<unknown>;

/** Throws an error, whose message continues "The item …", for an item that is too long or is not what `form` says. */
export function createItemReader(form: StreamForm, position: Position): ItemReader {
  return form.kind === 'events' ? eventItems(form, position) : lineItems();
}

function eventItems(form: StreamForm, position: Position): ItemReader {
  // Without errors: WHATWG HTML §9.2.6 replaces bytes that are not UTF-8.
  const decoder = new TextDecoder();
  const eventsIn = createEventReader(position);
  return function* (bytes) {
    for (const event of eventsIn(decoder.decode(bytes, { stream: true })))
      yield dataFormOf(form, event.event) === 'json' ? { ...event, data: valueOf(event.data) } : event;
  };
}

/** JSON Lines, and NDJSON, which may have empty lines. */
function lineItems(): ItemReader {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const linesIn = createLineReader(/\n/);
  return function* (bytes) {
    // The last line may have no end.
    for (const line of linesIn(textOf(decoder, bytes) + (bytes ? '' : '\n')))
      if (/[^ \t\r]/.test(line)) yield valueOf(line);
  };
}

function textOf(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array | undefined): string {
  try {
    return decoder.decode(bytes, { stream: !!bytes });
  } catch (cause) {
    throw new TypeError('is not UTF-8', { cause });
  }
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SyntaxError('is not JSON', { cause });
  }
}
