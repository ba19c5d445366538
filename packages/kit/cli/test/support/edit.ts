/** `text` with the first `before`, which must exist, replaced by `after`. */
export function edit(text: string, before: string, after: string): string {
  if (!text.includes(before)) throw new Error(`not in the text: ${before}`);
  return text.replace(before, () => after);
}

/** `text` without the part from `start` up to `end`. */
export function cut(text: string, start: string, end: string): string {
  const from = text.indexOf(start);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`not in the text: ${from < 0 ? start : end}`);
  return text.slice(0, from) + text.slice(to);
}

/** Line and column, from 1, of the first `piece` in `text` after `from`. */
export function positionOf(text: string, piece: string, from = 0): string {
  const before = text.slice(0, text.indexOf(piece, from)).split('\n');
  return `${before.length}:${(before.at(-1) ?? '').length + 1}`;
}
