import { serviceIn } from '../src/service.ts';

const settingsWith = (more: object) =>
  serviceIn(JSON.stringify({ name: 'shop', keyPrefix: 'shop_', databaseFile: 'shop.db', ...more }), [
    'names',
  ]);

const client = { name: '@acme/shop-client', registry: 'https://npm.acme.example/feed/' };
const mcp = { name: 'shop-mcp', registry: 'https://registry.example' };

test.each([undefined, {}, { client }, { mcp }, { client, mcp }])(
  'service.json may say where its packages are published: %j',
  (published) => {
    const { names } = settingsWith(published === undefined ? {} : { published });
    expect(names.published).toEqual(published);
  },
);

test.each([
  [null, '"published" must be an object with client or mcp'],
  [true, '"published" must be an object with client or mcp'],
  [[client], '"published" must be an object with client or mcp'],
  [{ server: client }, '"published" may have client and mcp: not server'],
  [{ client: true }, '"published.client" needs "name", the name of the package in the registry'],
  [{ client: { ...client, name: undefined } }, '"published.client" needs "name"'],
  [{ client: { ...client, name: '@acme' } }, '"published.client" needs "name"'],
  [{ client: { ...client, name: '@acme/shop client' } }, '"published.client" needs "name"'],
  [{ mcp: { name: 'shop-mcp' } }, '"published.mcp" needs "registry", its https address'],
  [{ mcp: { ...mcp, registry: 'registry.example' } }, '"published.mcp" needs "registry"'],
  [{ mcp: { ...mcp, registry: 'http://registry.example' } }, '"published.mcp" needs "registry"'],
  [
    { mcp: { ...mcp, registry: 'https://www.npmjs.com/package/shop-mcp' } },
    '"published.mcp" needs "registry"',
  ],
  [
    { mcp: { ...mcp, url: 'https://shop.example' } },
    '"published.mcp" may have "name" and "registry": not url',
  ],
])('%j is refused, with what to write', (published, problem) => {
  expect(() => settingsWith({ published })).toThrow(`service.json: ${problem}`);
});
