import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const FILES = {
  'page.css': ['text/css; charset=utf-8', 'page.css', 'panels.css'],
  'page.js': ['text/javascript; charset=utf-8', 'samples.js', 'page.js'],
  'favicon.svg': ['image/svg+xml', 'favicon.svg'],
} as const;

export interface Asset {
  /** Changes with the file, so browsers may cache it forever. */
  readonly url: string;
  readonly type: string;
  readonly bytes: Buffer;
}

export const assets = Object.fromEntries(
  Object.entries(FILES).map(([name, [type, ...parts]]): [string, Asset] => {
    const folder = path.join(import.meta.dirname, 'browser');
    const texts = parts.map((part) => readFileSync(path.join(folder, part), 'utf8'));
    // A classic script runs before the first paint; a module would not.
    const bytes = Buffer.from(texts.join('').replace(/^export /gm, ''));
    const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 12);
    return [name, { url: `/docs/assets/${version}/${name}`, type, bytes }];
  }),
) as Record<keyof typeof FILES, Asset>;
