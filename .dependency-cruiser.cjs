/**
 * The picture of the house, held by `npm run lint`: a room imports only from below it.
 * Hidden ways count too, such as types alone.
 */

/** The packages: each may import only what stands behind it. The bench stands apart; its own check holds it to the rules at the end. */
const packages = {
  'packages/contract': [],
  'packages/contract-tools': ['packages/contract'],
  'packages/local-stack': [],
  'packages/client': ['packages/contract'],
  'packages/mcp': ['packages/contract', 'packages/client'],
  'apps/server': ['packages/contract'],
};

/** The server, from the top floor to the ground. Rooms of one floor do not know each other. */
const floors = [
  ['cli/'], // the `petstore` command: what an operator types, and what it prints
  ['service.ts'], // puts the service together
  ['app.ts'], // the order in which a request meets the stages
  ['handlers.ts'], // every handler
  ['pages/'], // everything outside the API: the docs, the document, health and metrics
  ['store/'], // opens the store in either database; demonstration data, backup, restore, migration
  ['listener/'], // per connection: time-outs, the cap, draining, what Node's parser refused
  ['orders/', 'pets/'], // a feature each: its handlers and its store, with an adapter per database if need be
  ['pipeline/'], // per request, a file per stage; the exchange that they share, and the reply
  ['keys/'], // API keys, and who a request counts for
  ['limits/'], // quotas, windows, bans
  ['database/'], // SQLite and PostgreSQL: drivers, migrations, imports
  ['validation/'], // compiled from the contract: checks of requests, replies and imported records
  ['http/'], // per message, and knows nothing else
  ['config.ts', 'data-dir.ts', 'metrics.ts'], // the environment, the files of a DATA_DIR, the figures
  ['remembering.ts', 'setup-error.ts', 'version.ts'],
];

/** Inside the rooms of the contract's tools: who generates, lints and compares reads the contract, and not each other. */
const tools = [
  ['release/', 'lint/', 'generate/'],
  ['check/'],
  ['support/'],
  ['request-body.ts'],
  ['operations.ts'],
  ['command.ts'],
  ['contract.ts', 'workspace.ts'],
];

const escaped = (name) => name.replaceAll('.', '\\.');
const oneOf = (folder, rooms) => `^${folder}/src/(${rooms.map(escaped).join('|')})`;

/** A rule for each room: nothing above it, and nothing beside it. */
const noWayUp = (folder, storeys) =>
  storeys.flatMap((rooms, storey) =>
    rooms.flatMap((room) => {
      const closed = [...storeys.slice(0, storey).flat(), ...rooms.filter((other) => other !== room)];
      if (closed.length === 0) return [];
      const name = `${room} imports only from below`;
      return [
        {
          name,
          severity: 'error',
          from: { path: oneOf(folder, [room]) },
          to: { path: oneOf(folder, closed) },
        },
      ];
    }),
  );

module.exports = {
  forbidden: [
    ...noWayUp('apps/server', floors),
    ...noWayUp('packages/contract-tools', tools),
    {
      name: 'every room of the server has a floor',
      severity: 'error',
      from: {},
      to: { path: '^apps/server/src/', pathNot: oneOf('apps/server', floors.flat()) },
    },
    ...Object.entries(packages).map(([name, known]) => ({
      name: `${name} imports only ${known.join(' and ') || 'itself'}`,
      severity: 'error',
      from: { path: `^${name}/src/` },
      // By its name where it has not been built yet, so that its file is not there.
      to: { path: '^(packages|apps|@petstore)/', pathNot: [name, ...known].map((each) => `^${each}/`) },
    })),
    {
      name: 'what most starts do without is imported when it is needed',
      severity: 'error',
      from: { path: '^apps/server/src/' },
      to: {
        path: '^apps/server/src/(limits/redis-client|pages/(html|markdown))\\.|^node_modules/yaml/',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    { name: 'no circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'a package is entered through its name',
      severity: 'error',
      from: { path: '^(packages|apps|scripts)/([^/]+)' },
      to: {
        dependencyTypes: ['local'],
        dependencyTypesNot: ['aliased'],
        path: '^(packages|apps)/',
        pathNot: '^$1/$2/',
      },
    },
    {
      name: 'who imports a package lists it',
      severity: 'error',
      from: {},
      to: {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown'],
        // A peer dependency is also listed.
        dependencyTypesNot: ['npm-peer'],
        pathNot: '^@petstore/',
      },
    },
    {
      name: 'what runs does not need what only tests and builds have',
      severity: 'error',
      // The client has built in what it needs.
      from: { path: '^(packages|apps)/(?!client/)[^/]+/src/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '/dist/'] },
    exclude: { path: ['pages/browser/'] },
    // The client by its sources: it may not have been built.
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@petstore/source', 'import', 'node', 'default'],
    },
  },
};
