import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** By name: the type, and the files that it is put together from. */
const FILES = {
  'page.css': ['text/css; charset=utf-8', 'page.css', 'panels.css'],
  'page.js': ['text/javascript; charset=utf-8', 'samples.js', 'page.js'],
  'favicon.svg': ['image/svg+xml', 'favicon.svg'],
} as const;

export interface Asset {
  /** Changes with the file, so that browsers may keep what lies there for good. */
  readonly url: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** All that the docs page loads. Nothing else of the folder is served. */
export const assets = Object.fromEntries(
  Object.entries(FILES).map(([name, [type, ...parts]]): [string, Asset] => {
    const folder = path.join(import.meta.dirname, 'browser');
    const texts = parts.map((part) => readFileSync(path.join(folder, part), 'utf8'));
    // One script, which runs before the first paint: a module would wait for the whole page.
    const bytes = Buffer.from(texts.join('').replace(/^export /gm, ''));
    const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 12);
    return [name, { url: `/docs/assets/${version}/${name}`, type, bytes }];
  }),
) as Record<keyof typeof FILES, Asset>;
