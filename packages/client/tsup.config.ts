import { defineConfig, type Options } from 'tsup';

const shared: Options = {
  entry: ['src/index.ts', 'src/stream.ts', 'src/testing.ts', 'src/fetch.ts'],
  target: 'es2022',
  splitting: false,
  sourcemap: true,
  external: ['@petstore/client'],
};

/** Types of the workspace, whose packages are not published, are built in by way of these paths. */
const paths = {
  '@petstore/contract': ['../contract/src/index.ts'],
  '@petstore/contract/schema': ['../contract/src/generated/schema.ts'],
  '@contract-kit/core': ['../kit/core/src/contract.ts'],
  '@contract-kit/core/*': ['../kit/core/src/*.ts'],
  '@contract-kit/client': ['../kit/client/src/index.ts'],
  '@contract-kit/client/*': ['../kit/client/src/*.ts'],
  // Types of the entry next to it, which is not built yet.
  '@petstore/client': ['./src/index.ts'],
};

export default defineConfig([
  { ...shared, format: ['esm'], clean: true },
  // For pages, whose size counts: without advice for developers.
  { ...shared, entry: { 'index.production': 'src/index.ts' }, format: ['esm'], platform: 'browser' },
  // The types once: types.mjs refers to these from those for `import`.
  { ...shared, format: ['cjs'], dts: { compilerOptions: { paths } } },
]);
