import { JSONParser, TokenType } from '@streamparser/json';

/**
 * Reads the bytes of a JSON list in whatever pieces they arrive, and returns the items that each piece completes.
 *
 * @throws if they are not UTF-8 or not a list. Called without bytes, also if the list is not complete.
 */
export function createListParser(): (bytes?: Uint8Array) => unknown[] {
  // It skips one byte order mark, as `Response.text` does (RFC 8259 §8.1).
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false });
  let isStarted = false;
  let items: unknown[] = [];
  parser.onToken = ({ token }) => {
    if (!isStarted && token !== TokenType.LEFT_BRACKET) throw new SyntaxError('This is not a list.');
    isStarted = true;
  };
  parser.onValue = ({ value }) => void items.push(value);

  return (bytes) => {
    items = [];
    const text = decoder.decode(bytes, { stream: !!bytes });
    if (text) parser.write(text);
    if (!bytes && !parser.isEnded) throw new SyntaxError('The list is not complete.');
    return items;
  };
}
