import { document } from '@petstore/contract/document';
import { publishedDocument } from '@petstore/contract/published-document';
import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/main.ts'],
  format: ['esm'],
  target: 'node20',
  esbuildOptions(options) {
    options.conditions = ['@petstore/source'];
  },
  esbuildPlugins: [
    {
      // Nothing internal is published, not even where nobody looks.
      name: 'published-document',
      setup(build) {
        build.onLoad({ filter: /generated[\\/]document\.ts$/ }, () => ({
          contents: `export const document = ${JSON.stringify(publishedDocument(document))};`,
        }));
      },
    },
  ],
  clean: true,
});
