import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const FILES = {
  'page.css': ['text/css; charset=utf-8', 'page.css', 'panels.css'],
  'page.js': ['text/javascript; charset=utf-8', 'page.js'],
  'favicon.svg': ['image/svg+xml', 'favicon.svg'],
} as const;

export interface Asset {
  /** Changes with the file, so browsers may cache it forever. */
  readonly url: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** The built files: the build bundles the script with the modules of other packages that it imports. */
const folder = path.join(import.meta.dirname.replace(/src(?=.docs$)/, 'dist'), 'browser');

export const assets = Object.fromEntries(
  Object.entries(FILES).map(([name, [type, ...parts]]): [string, Asset] => {
    const texts = parts.map((part) => readFileSync(path.join(folder, part), 'utf8'));
    const bytes = Buffer.from(texts.join(''));
    const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 12);
    return [name, { url: `/docs/assets/${version}/${name}`, type, bytes }];
  }),
) as Record<keyof typeof FILES, Asset>;
