import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

export interface Size {
  /** Bytes, minified. */
  readonly minified: number;
  /** Bytes, minified and compressed by gzip -9. */
  readonly compressed: number;
}

/** What `contents`, a module in `folder`, adds to a page: bundled for browsers, with everything that it imports. */
export async function sizeOf(contents: string, folder: string, conditions: string[] = []): Promise<Size> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder, loader: 'ts' },
    conditions,
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    write: false,
    logLevel: 'error',
  });
  const bundle = outputFiles[0]?.contents ?? new Uint8Array();
  return { minified: bundle.length, compressed: gzipSync(bundle, { level: 9 }).length };
}
