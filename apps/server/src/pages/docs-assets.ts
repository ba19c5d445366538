import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
// Its main file would load Swagger UI itself, a tenth of a second of every start.
import absolutePath from 'swagger-ui-dist/absolute-path.js';

export interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
}

const OWN = path.join(import.meta.dirname, 'browser');

/** All that the docs page loads besides the document. Nothing else of these folders is served. */
const FOLDERS = {
  'swagger-ui.css': absolutePath(),
  'swagger-ui-bundle.js': absolutePath(),
  'favicon.svg': OWN,
  'docs.css': OWN,
  'navigation.css': OWN,
  'operations.css': OWN,
  'prelude.js': OWN,
  'docs.js': OWN,
  'contract.js': OWN,
  'navigation.js': OWN,
  'operations.js': OWN,
  'overview.js': OWN,
} as const;

export type AssetName = keyof typeof FOLDERS;

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export function readAssets(): ReadonlyMap<AssetName, Asset> {
  return new Map(
    Object.entries(FOLDERS).map(([name, folder]) => {
      const bytes = readFileSync(path.join(folder, name));
      const type = TYPES[path.extname(name)] ?? 'application/octet-stream';
      return [name as AssetName, { type, bytes }];
    }),
  );
}

/** Changes whenever one of the files does, so that browsers may keep what lies under it for good. */
export function versionOf(assets: ReadonlyMap<AssetName, Asset>): string {
  const hash = createHash('sha256');
  for (const { bytes } of assets.values()) hash.update(bytes);
  return hash.digest('base64url').slice(0, 12);
}
