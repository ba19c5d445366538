import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/main.ts'],
  format: ['esm'],
  target: 'node20',
  esbuildOptions(options) {
    options.conditions = ['@petstore/source'];
  },
  clean: true,
});
