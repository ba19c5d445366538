/**
 * Reads the bytes of a JSON list in whatever pieces they come, and gives the items that each piece completes. It finds
 * their ends by brackets, quotes and commas, and leaves it to `JSON.parse` to hold them against the grammar.
 *
 * @throws if it is no UTF-8 or no list; once it is called without bytes, also if the list is not complete.
 */
export function createListParser(): (bytes?: Uint8Array) => unknown[] {
  // It takes one byte order mark away, as `Response.text` does (RFC 8259 §8.1).
  const decoder = new TextDecoder('utf-8', { fatal: true });
  /** What follows the last complete item. */
  let pending = '';
  /** Brackets that are open. */
  let depth = 0;
  let [isText, isEscaped, hasItems] = [false, false, false];

  return (bytes) => {
    const text = decoder.decode(bytes, { stream: !!bytes });
    // Where the last item of the text that is complete ends.
    let end = -1;
    for (let at = 0; at < text.length; at++) {
      const character = text[at] as string;
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (character === '\\') isEscaped = true;
        else if (character === '"') isText = false;
      } else if (character === '"') isText = true;
      else if (character === '[' || character === '{') depth++;
      else if (character === ']' || character === '}') {
        depth--;
        // That of the list belongs to what follows.
        if (depth < 2) end = at + depth;
      } else if (character === ',' && depth === 1) end = at;
    }
    const items = pending + text.slice(0, Math.max(end, 0));
    pending = end < 0 ? items + text : text.slice(end);
    if (!bytes && (depth !== 0 || !/^\][ \t\n\r]*$/.test(pending)))
      throw new SyntaxError('The list is not complete.');
    if (end < 0 || !/[^ \t\n\r]/.test(items)) return [];
    // The comma before an item is as the bracket of a list with the next ones.
    const found = JSON.parse(`${hasItems ? items.replace(/^[ \t\n\r]*,/, '[') : items}]`) as unknown[];
    if (found.length === 0 && (hasItems || pending.startsWith(',')))
      throw new SyntaxError('A comma is too much.');
    hasItems = true;
    return found;
  };
}
