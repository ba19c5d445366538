/** The most characters of an item, so that an endless one does not take all memory. */
export const MAX_ITEM = 2 ** 24;

export const itemTooLong = () => new RangeError(`has more than ${MAX_ITEM} characters`);

/**
 * Returns the lines that each further piece of a text completes. Throws a RangeError for a line of more than `MAX_ITEM`
 * characters.
 */
export function createLineReader(end: RegExp): (text: string) => Iterable<string> {
  let pieces: string[] = [];
  let length = 0;
  let isAfterReturn = false;

  function hold(piece: string): void {
    pieces.push(piece);
    length += piece.length;
    if (length > MAX_ITEM) throw itemTooLong();
  }

  return function* read(text) {
    if (!text) return;
    // The second character of a line end, whose first has ended the line.
    const from = isAfterReturn && text.startsWith('\n') ? text.slice(1) : text;
    isAfterReturn = end.test('\r') && text.endsWith('\r');
    const [first = '', ...others] = from.split(end);
    hold(first);
    for (const piece of others) {
      yield pieces.join('');
      [pieces, length] = [[], 0];
      hold(piece);
    }
  };
}
