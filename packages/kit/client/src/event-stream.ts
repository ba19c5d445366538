import { createLineReader, itemTooLong, MAX_ITEM } from './lines.ts';

/** A server-sent event. Fields that it does not have are absent. */
export interface ServerSentEvent {
  readonly data: string;
  readonly event?: string;
  readonly id?: string;
  /** Milliseconds. */
  readonly retry?: number;
}

/** What it takes to resume an event stream. It is kept over connections. */
export interface Position {
  /** The last id that an event had. It may be empty; undefined before the first one. */
  lastEventId: string | undefined;
  /** Milliseconds to wait before connecting again. */
  retry: number;
  /** Whether the stream ends with a `retry` and nothing else: the server ended it early, and asks to come back. */
  isCalledBack: boolean;
}

/**
 * Reads server-sent events (WHATWG HTML §9.2.6) from a text in pieces, without its byte order mark. An event that the end
 * of the stream cuts is dropped. Throws a RangeError for an event of more than `MAX_ITEM` characters.
 */
export function createEventReader(position: Position): (text: string) => Iterable<ServerSentEvent> {
  const linesIn = createLineReader(/\r\n|\r|\n/);
  let { lastEventId } = position;
  position.isCalledBack = false;
  let length = 0;
  let data: string | undefined;
  let event = '';
  let id: string | undefined;
  let retry: number | undefined;

  function take(line: string): undefined {
    const colon = line.indexOf(':');
    // A comment.
    if (colon === 0) return undefined;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') data = data === undefined ? value : `${data}\n${value}`;
    if (name === 'event') event = value;
    if (name === 'id' && !value.includes('\0')) id = lastEventId = value;
    if (name === 'retry' && /^\d+$/.test(value)) position.retry = retry = Number(value);
    length += line.length + 1;
    if (length > MAX_ITEM) throw itemTooLong();
    return undefined;
  }

  /** Ends an event: of lines without data it is none. */
  function dispatch(): ServerSentEvent | undefined {
    const fields = {
      ...(event && { event }),
      ...(id !== undefined && { id }),
      ...(retry !== undefined && Number.isSafeInteger(retry) && { retry }),
    };
    const made = data === undefined ? undefined : { data, ...fields };
    position.lastEventId = lastEventId;
    position.isCalledBack = !made && retry !== undefined;
    [length, data, event, id, retry] = [0, undefined, '', undefined, undefined];
    return made;
  }

  return function* read(text) {
    for (const line of linesIn(text)) {
      const made = line ? take(line) : dispatch();
      if (made) yield made;
    }
  };
}
