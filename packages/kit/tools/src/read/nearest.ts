/** The one of `words` that `word` was probably meant to be: it differs in a letter of every four at most, or by more letters at its end. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const plain = (each: string) => each.toLowerCase().replaceAll(/[-_]/g, '');
  const ranked = words
    .map((each) => {
      const [wanted, written] = [plain(each), plain(word)];
      const begun = written.length >= 5 && (wanted.startsWith(written) || written.startsWith(wanted));
      return { each, distance: begun ? Math.min(1, distance(wanted, written)) : distance(wanted, written) };
    })
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best && best.distance <= Math.max(1, Math.floor(word.length / 4)) ? best.each : undefined;
}

/** How many letters have to be added, dropped or changed (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column += 1) {
      const changed = (row[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
