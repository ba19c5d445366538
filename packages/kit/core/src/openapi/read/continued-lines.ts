import { visit, type Document } from 'yaml';

/** A text in quotes, up to the quote that is not escaped. */
const QUOTED = /"(?:[^"\\]|\\[^])*"|'(?:[^']|'')*'/y;

/**
 * `text` with the lines indented that continue a text in quotes, if that may be why `yaml` has errors. YAML 1.2 §7.3 wants
 * them further in than their key. SnakeYAML, which writes contracts for springdoc, puts them right below it, and most readers
 * take that. The value is the same: spaces at the start of such a line are no part of it.
 */
export function withContinuedLines(text: string, yaml: Document): string | undefined {
  const unclosed = new Set(yaml.errors.map(({ pos: [offset] }) => offset));
  const starts: number[] = [];
  visit(yaml, {
    Scalar(_key, { type, range }) {
      if (type?.startsWith('QUOTE') && range && unclosed.has(range[1])) starts.push(range[0]);
    },
  });
  let repaired = text;
  for (const start of starts.toReversed()) {
    QUOTED.lastIndex = start;
    const [quoted] = QUOTED.exec(text) ?? [''];
    const indent = ' '.repeat(start - text.lastIndexOf('\n', start));
    const indented = quoted.replaceAll(/\n(?=.)/g, `\n${indent}`);
    repaired = `${repaired.slice(0, start)}${indented}${repaired.slice(start + quoted.length)}`;
  }
  return repaired === text ? undefined : repaired;
}
