// TypeScript 7, which is faster. `typescript` stays at 5.9 for tools that call its API, which 7 no longer has:
// openapi-typescript, typescript-eslint and tsup.
const home = import.meta.resolve('typescript-7/package.json');
await import(new URL('lib/tsc.js', home).href);
