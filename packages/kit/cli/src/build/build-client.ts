import { fileURLToPath } from 'node:url';
import { defineConfig, type Options } from 'tsup';

const shared: Options = {
  entry: ['src/index.ts', 'src/stream.ts', 'src/testing.ts', 'src/fetch.ts'],
  target: 'es2022',
  splitting: false,
  sourcemap: true,
  external: ['@{{name}}/client'],
};

const distOf = (name: string) => fileURLToPath(new URL('dist', import.meta.resolve(`${name}/package.json`)));
const [core, client] = [distOf('@contract-kit/core'), distOf('@contract-kit/client')];

/** Types of the workspace and of the kit, on which the client does not depend, are built in by way of these paths. */
const paths = {
  '@{{name}}/contract': ['../contract/src/index.ts'],
  '@{{name}}/contract/schema': ['../contract/src/generated/schema.ts'],
  '@contract-kit/core': [`${core}/contract.d.ts`],
  '@contract-kit/core/*': [`${core}/*.d.ts`],
  '@contract-kit/client': [`${client}/index.d.ts`],
  '@contract-kit/client/*': [`${client}/*.d.ts`],
  // Types of the entry next to it, which is not built yet.
  '@{{name}}/client': ['./src/index.ts'],
};

export default defineConfig([
  { ...shared, format: ['esm'], clean: true },
  // For pages, whose size counts: without advice for developers.
  { ...shared, entry: { 'index.production': 'src/index.ts' }, format: ['esm'], platform: 'browser' },
  // The types once: types.mjs refers to these from those for `import`.
  { ...shared, format: ['cjs'], dts: { compilerOptions: { paths } } },
]);
