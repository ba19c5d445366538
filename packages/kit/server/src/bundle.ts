import { build } from 'esbuild';
import { readFileSync, rmSync } from 'node:fs';

// Native packages, and packages that OpenTelemetry patches when they are loaded.
const separate = ['@photostructure/sqlite', 'express', 'ioredis', 'pg', 'pino'];
// Rarely loaded packages.
const rare = ['cli-progress', 'pino-pretty', 'yaml'];
/** The packages that a bundle does not include. */
export const imported = [...separate, ...rare];

/**
 * Lets bundled code find the files next to its source.
 *
 * @param {(file: string) => string | undefined} folderOf
 * @returns {import('esbuild').Plugin}
 */
const folders = (folderOf) => ({
  name: 'folders',
  setup(bundler) {
    bundler.onLoad({ filter: /\.[jt]s$/ }, ({ path: file }) => {
      const folder = folderOf(file);
      if (folder === undefined) return undefined;
      const contents = readFileSync(file, 'utf8');
      return {
        contents: contents.replaceAll('import.meta.dirname', `(import.meta.dirname + '/${folder}')`),
        loader: 'ts',
      };
    });
  },
});

/**
 * Unused parts of express-openapi-validator: OpenAPI's schemas, which it would compile for every operation
 * (jest.outside.cjs does the same), what empties them outside of bundles, and its form parser.
 *
 * @type {import('esbuild').Plugin}
 */
const unused = {
  name: 'unused',
  setup(bundler) {
    const files =
      /express-openapi-validator.*\.schema\.json$|no-openapi-schemas\.[jt]s$|node_modules\/multer\/index\.js$/;
    bundler.onLoad({ filter: files }, () => ({ contents: '{}', loader: 'json' }));
  },
};

/**
 * Bundles the command of a service and most of its packages into few files. `folderOf` is the place, from the bundle, of
 * the files next to a source. `alias` replaces packages.
 *
 * @param {{
 *   root: string;
 *   entryPoints: Record<string, string>;
 *   outdir: string;
 *   folderOf: (file: string) => string | undefined;
 *   alias?: Record<string, string>;
 * }} options
 */
export function bundle({ root, entryPoints, outdir, folderOf, alias = {} }) {
  rmSync(outdir, { recursive: true, force: true });
  return build({
    metafile: true,
    absWorkingDir: root,
    entryPoints,
    outdir,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    external: imported,
    alias,
    plugins: [unused, folders(folderOf)],
    banner: {
      js: [
        // CommonJS packages require Node's modules.
        "import { createRequire as requireFrom } from 'node:module';",
        'const require = requireFrom(import.meta.url);',
        // Node.js does not warn of what packages in node_modules do. Bundled, they are outside.
        'process.noDeprecation = true;',
      ].join('\n'),
    },
  });
}
