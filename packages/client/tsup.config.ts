import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/index.ts', 'src/stream.ts', 'src/testing.ts', 'src/fetch.ts'],
  format: ['esm', 'cjs'],
  target: 'es2022',
  splitting: false,
  sourcemap: true,
  external: ['@petstore/client'],
  esbuildOptions(options) {
    // Sources are packed beside; those of the contract are not.
    options.sourcesContent = false;
  },
  // The contract is not published: what the client takes from it is built in, its types by way of this path.
  dts: {
    compilerOptions: {
      paths: {
        '@petstore/contract': ['../contract/src/index.ts'],
        '@kit/contract': ['../kit/contract/src/index.ts'],
        '@kit/contract/windows': ['../kit/contract/src/windows.ts'],
        '@kit/client': ['../kit/client/src/index.ts'],
        '@petstore/contract/schema': ['../contract/src/generated/schema.ts'],
        '@kit/client/openapi-fetch': ['../kit/client/src/openapi-fetch.ts'],
        '@kit/client/stream': ['../kit/client/src/stream.ts'],
        '@kit/client/testing': ['../kit/client/src/testing.ts'],
        // Types of the entry next to it, which is not built yet.
        '@petstore/client': ['./src/index.ts'],
      },
    },
  },
  clean: true,
});
