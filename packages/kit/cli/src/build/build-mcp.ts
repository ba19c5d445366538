import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/main.ts'],
  format: ['esm'],
  target: 'node20',
  sourcemap: true,
  clean: true,
  // One file is packed: see `files` of package.json.
  splitting: false,
});
