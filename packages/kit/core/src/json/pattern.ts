import { RE2JS } from 're2js';

/** Many patterns escape a character that needs no escape, such as `\\-`: the flag u forbids that. */
export function regularExpression(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
}

/**
 * Tests texts for a pattern of the contract in linear time, by RE2: JavaScript's regular expressions may backtrack for
 * minutes. Lookarounds and backreferences, which RE2 lacks, are left to JavaScript; `contract:check` rejects slow ones.
 */
export function patternOf(pattern: string): Pick<RegExp, 'test'> & object {
  const shape = regularExpression(pattern);
  const test = isLinear(pattern) ? undefined : linearTest(pattern);
  if (!test) return shape;
  return Object.assign(Object.create(null) as object, { test, toString: () => String(shape) });
}
// For code that is compiled into modules, which nothing here is.
patternOf.code = 'new RegExp';

/** Whether JavaScript tests it in linear time: it has no repetition, or one at the end between two anchors. */
function isLinear(pattern: string): boolean {
  return !/[(*+?]|\{\d*,/.test(pattern) || /^\^[^()|*+?{}]*(\[[^\]]*\]|\\?.)[*+]\$$/.test(pattern);
}

/** `\s` and `\S`, which match only ASCII in RE2. */
const SPACES =
  '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const OTHERS =
  '\\x00-\\x08\\x0e-\\x1f!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}' +
  '\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';

/** Lookaheads right after the first anchor hold for the whole text: each is a separate pattern. */
const LOOKAHEAD =
  /^\(\?([=!])((?:\\[^]|\[(?:\\[^]|[^\]\\])*\]|\((?:\\[^]|\[(?:\\[^]|[^\]\\])*\]|[^()[\\])*\)|[^()[\\])*)\)(?![*+?{])/;

/** Tests for a pattern in linear time; undefined if RE2 cannot. */
function linearTest(pattern: string): ((text: string) => boolean) | undefined {
  const tests: ((text: string) => boolean)[] = [];
  let rest = pattern.replace(/^\^/, '');
  for (let found = LOOKAHEAD.exec(rest); found && rest !== pattern; found = LOOKAHEAD.exec(rest)) {
    const [whole, kind, inner = ''] = found;
    const ahead = linearPattern(`^(?:${inner})`);
    if (!ahead) return undefined;
    tests.push((text) => ahead.test(text) === (kind === '='));
    rest = rest.slice(whole.length);
  }
  // An alternative is not bound by the anchor and the lookaheads of the first one.
  if (tests.length > 0 && hasAlternatives(rest)) return undefined;
  const main = linearPattern(tests.length > 0 ? `^${rest}` : pattern);
  return main && ((text) => tests.every((test) => test(text)) && main.test(text));
}

/** Whether a pattern has `|` outside groups and sets. */
function hasAlternatives(pattern: string): boolean {
  let depth = 0;
  for (const [token] of pattern.matchAll(/\\[^]|\[(?:\\[^]|[^\]\\])*\]|[()|]/g)) {
    if (token === '|' && depth === 0) return true;
    depth += token === '(' ? 1 : token === ')' ? -1 : 0;
  }
  return false;
}

/** `pattern` for RE2, which matches in linear time (https://swtch.com/~rsc/regexp/); undefined if RE2 cannot express it. */
function linearPattern(pattern: string): RE2JS | undefined {
  let isInSet = false;
  const translate = (token: string, escaped?: string): string => {
    if (escaped === undefined) {
      if (token === '.') return isInSet ? token : '[^\\n\\r\\x{2028}\\x{2029}]';
      const isLiteral = isInSet === (token === '[');
      if (!isLiteral) isInSet = token === '[';
      return isLiteral ? `\\${token}` : token;
    }
    const [, digits] = /^[ux]\{?([\da-f]+)\}?$/i.exec(escaped) ?? [];
    if (digits !== undefined) return `\\x{${digits}}`;
    if (escaped === 's' || escaped === 'S') {
      const set = escaped === 's' ? SPACES : OTHERS;
      return isInSet ? set : `[${set}]`;
    }
    if (escaped === 'b' && isInSet) return '\\x08';
    // A backreference, or an escape with another meaning in JavaScript.
    if (!/^([dDwWbBnrtfvpP]|[\x20-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e])$/.test(escaped)) throw new Error(token);
    return token;
  };
  try {
    // An empty set, a lone surrogate, and `\p` without braces.
    if (/\[\^?\]|\\u\{?d[89a-f]|\\p(?!\{)/i.test(pattern)) return undefined;
    return RE2JS.compile(
      pattern.replace(/\\(u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|[^])|[[\].]/gi, translate),
    );
  } catch {
    return undefined;
  }
}
