import type { WireRequest } from './wire.ts';

/** The command that sends `request` to `origin` as it is, for a POSIX shell. */
export function curlLine(origin: string, { method, target, headers, body }: WireRequest): string {
  const words = ['curl', '-sS', '-i', '--path-as-is', '--globoff'];
  words.push(...(method === 'HEAD' ? ['--head'] : ['-X', method]));
  for (const [name, value] of headers)
    words.push('-H', quoted(value === '' ? `${name};` : `${name}: ${value}`));
  if (body !== undefined) words.push('--data-binary', quoted(String(body)));
  return [...words, quoted(origin + target)].join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
