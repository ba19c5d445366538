/* Values as people write them in JavaScript. */

/** Text after the first line, two columns further in. */
export const indented = (code: string) => code.replaceAll('\n', '\n  ');

/** The name of a property in an object literal. In quotes alone, `__proto__` would set the prototype. */
export function keyOf(name: string): string {
  if (name === '__proto__') return `['__proto__']`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : textOf(name);
}

/** A JSON value as code. */
export function literalOf(value: unknown): string {
  if (typeof value === 'string') return textOf(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => literalOf(item))
    : Object.entries(value).map(([name, item]) => `${keyOf(name)}: ${literalOf(item)}`);
  const [open, close] = isList ? '[]' : '{}';
  return items.length === 0
    ? `${open}${close}`
    : `${open}\n${items.map((item) => `  ${indented(item)},\n`).join('')}${close}`;
}

function textOf(text: string): string {
  const quoted = JSON.stringify(text);
  return /['"\\]/.test(text) || quoted.includes('\\') ? quoted : `'${text}'`;
}
