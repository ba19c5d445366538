import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const TYPES = {
  'page.css': 'text/css; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'favicon.svg': 'image/svg+xml',
} as const;

export interface Asset {
  /** Changes with the file, so that browsers may keep what lies there for good. */
  readonly url: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** All that the docs page loads. Nothing else of the folder is served. */
export const assets = Object.fromEntries(
  Object.entries(TYPES).map(([name, type]): [string, Asset] => {
    const bytes = readFileSync(path.join(import.meta.dirname, 'browser', name));
    const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 12);
    return [name, { url: `/docs/assets/${version}/${name}`, type, bytes }];
  }),
) as Record<keyof typeof TYPES, Asset>;
