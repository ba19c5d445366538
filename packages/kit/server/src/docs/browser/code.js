import { make } from './elements.js';

/** Highlights strings, as the server does. */
export function showCode(code, source) {
  const parts = source.split(/(".*?"|'[^'\n]*'|`[^`\n]*`)/);
  const nodes = parts.map((textContent, index) => (index % 2 ? make('span', { textContent }) : textContent));
  code.replaceChildren(...nodes);
}

export function codeBlock(source) {
  const block = make('pre', { tabIndex: 0 });
  showCode(block, source);
  return block;
}

/** Reads JSON, with inexact numbers as they were typed. */
export function parsed(text) {
  return JSON.parse(text, (_name, value, { source } = {}) =>
    typeof value === 'number' && String(value) !== source && JSON.rawJSON ? JSON.rawJSON(source) : value,
  );
}

/** Indents JSON, and keeps its numbers as text, so 64-bit ids stay exact. Other texts stay as they are. */
export function indented(text) {
  try {
    return JSON.rawJSON ? JSON.stringify(parsed(text), undefined, 2) : text;
  } catch {
    return text;
  }
}

const BLANK = '[ \\t\\r\\n]*';
const token = (pattern) => new RegExp(BLANK + pattern, 'y');
const STRING = String.raw`"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"`;
const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;

/** Where a text stops being JSON (RFC 8259). */
export function mistakeIn(text) {
  let at = 0;
  const take = (pattern) => {
    const found = token(pattern);
    found.lastIndex = at;
    const isThere = found.test(text);
    if (isThere) at = found.lastIndex;
    return isThere;
  };
  const list = (end, item) => {
    if (take(end)) return true;
    do if (!item()) return false;
    while (take(','));
    return take(end);
  };
  const value = () => {
    if (take('\\{')) return list('\\}', () => take(STRING) && take(':') && value());
    if (take('\\[')) return list('\\]', value);
    return take(`(?:${STRING}|${NUMBER}|true|false|null)`);
  };
  value();
  take('');
  return at;
}
