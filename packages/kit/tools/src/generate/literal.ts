import type { Json } from '../source-document.ts';

/** The column that lines end before, where they can. */
const WIDTH = 100;

/** JSON as TypeScript: on one line where that fits, with a line for each entry otherwise. */
export function literal(value: Json, indent = ''): string {
  const line = JSON.stringify(value, undefined, 1).replaceAll(/\n */g, ' ');
  if (!(value instanceof Object) || indent.length + line.length < WIDTH) return line;
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    return `[\n${value.map((item) => `${deeper}${literal(item, deeper)},\n`).join('')}${indent}]`;
  }
  const entries = Object.entries<Json>(value).filter(([, each]) => each !== undefined);
  const lines = entries.map(([key, each]) => `${deeper}${JSON.stringify(key)}: ${literal(each, deeper)},\n`);
  return `{\n${lines.join('')}${indent}}`;
}
