import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/index.ts', 'src/stream.ts'],
  format: ['esm', 'cjs'],
  target: 'es2022',
  splitting: false,
  external: ['@petstore/client'],
  esbuildOptions(options) {
    options.conditions = ['@petstore/source'];
  },
  // The contract is not published: what the client takes from it is built in, its types by way of this path.
  dts: {
    compilerOptions: {
      paths: {
        '@petstore/contract': ['../contract/src/index.ts'],
        // Types of the entry next to it, which is not built yet.
        '@petstore/client': ['./src/index.ts'],
      },
    },
  },
  clean: true,
});
