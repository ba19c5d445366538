import { readFileSync } from 'node:fs';
import emptied from './validation/openapi-validator/emptied.json' with { type: 'json' };

/* How a service is bundled with esbuild. Nothing but a list is imported here, so that a build does not load the server. */

// Native packages, and packages that OpenTelemetry patches when they are loaded.
const separate = ['@photostructure/sqlite', 'express', 'ioredis', 'pg', 'pino'];
// Rarely loaded packages.
const rare = ['cli-progress', 'pino-pretty', 'yaml'];
/** The packages that a bundle does not include. */
export const imported = [...separate, ...rare];

interface Loaded {
  readonly contents: string;
  readonly loader: 'ts' | 'json';
}

/** What this uses of esbuild's `PluginBuild`. */
interface Bundler {
  onLoad(options: { filter: RegExp }, load: (args: { path: string }) => Loaded | undefined): void;
}

/** Lets bundled code find the files next to its source. */
const folders = (folderOf: (file: string) => string | undefined) => ({
  name: 'folders',
  setup(bundler: Bundler) {
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
 */
const unused = {
  name: 'unused',
  setup(bundler: Bundler) {
    const schemas = emptied.map((name) => `${name.replaceAll('.', String.raw`\.`)}\\.schema\\.json$`);
    const files = [
      ...schemas,
      String.raw`openapi-validator/empty-schemas\.[jt]s$`,
      String.raw`node_modules/multer/index\.js$`,
    ];
    bundler.onLoad({ filter: new RegExp(files.join('|')) }, () => ({ contents: '{}', loader: 'json' }));
  },
};

/**
 * Options of esbuild's `build`, which bundle the command of a service and most of its packages into few files. `folderOf`
 * is the place, from the bundle, of the files next to a source; undefined if it has none.
 */
export function bundleOptions(folderOf: (file: string) => string | undefined) {
  return {
    bundle: true,
    splitting: true,
    platform: 'node' as const,
    format: 'esm' as const,
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    external: imported,
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
  };
}
