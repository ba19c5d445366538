/** Which file may import which, held by `npm run lint`: a layer imports only from the layers below it, types included. */

const { name: service } = require('./service.json');

/** The packages: each may import only those listed for it. The bench has a check of its own, with the rules at the end. */
const packages = {
  'packages/kit/core': [],
  'packages/kit/client': ['packages/kit/core'],
  'packages/kit/mcp': ['packages/kit/core'],
  'packages/kit/server': ['packages/kit/client', 'packages/kit/core', 'packages/kit/mcp'],
  'packages/kit/testing': ['packages/kit/core', 'packages/kit/server'],
  'packages/kit/cli': [
    'packages/kit/client',
    'packages/kit/core',
    'packages/kit/mcp',
    'packages/kit/server',
    'packages/kit/testing',
  ],
  'packages/test-support': ['packages/kit/core'],
  'packages/contract': ['packages/kit/core'],
  'packages/client': ['packages/contract', 'packages/kit/core', 'packages/kit/client'],
  'packages/mcp': ['packages/contract', 'packages/client', 'packages/kit/core', 'packages/kit/mcp'],
  'apps/server': ['packages/contract', 'packages/kit/server', 'packages/kit/core'],
};

/** The layers of the server, from the top. Entries of one layer do not import each other. */
const server = [
  ['internals.ts'], // what the rest of the kit uses
  ['bundle.ts'], // how a build bundles a service
  ['testing/'], // a service in a test
  ['index.ts'], // what a service is made with
  ['command/'], // what an operator types, and what it prints
  ['checking.ts'], // a server of a contract without features
  ['start.ts'], // puts a service together
  ['start/'], // the steps of that, and what they share
  ['app.ts'], // the order in which a request meets the stages
  ['deploy/', 'docs/', 'mcp/', 'ops/'], // the files for operators; outside the API: the docs and the document; tools for agents; health and metrics
  ['listener/'], // per connection: time-outs, the cap, draining, errors of Node's parser
  ['services.ts', 'background.ts'], // what the features of a started service work with; their background work
  ['store/'], // opens the store in either database; demo data, backup, restore, migration
  ['feature.ts'], // a feature and a service as values
  ['pipeline/'], // per request, a file per stage; the context that they share, and the response
  ['feed/', 'idempotency/', 'jobs/', 'keys/', 'limits/'], // the log of changes; first responses to repeats; stored jobs and their runs; API keys and their callers; quotas, windows, bans
  ['database/'], // SQLite and PostgreSQL: drivers, migrations, imports
  ['validation/'], // compiled from the contract: checks of requests, responses and imported records
  ['http/'], // per message
  ['config.ts', 'data-dir.ts', 'metrics.ts'], // the environment, the files of a DATA_DIR, the metrics
  ['memoize.ts', 'operator-error.ts', 'settings.ts'],
];

/** The rooms of core, from the top: each has one entry, its index. Only the model follows references and compositions. */
const core = [
  ['openapi/'], // a document, read and completed, and the contract as a value
  ['errors/'], // the errors that the pipeline sends for an operation, and what a contract says of their bodies
  ['values/'], // the one maker of values
  ['model/'], // a document as operations and schemas
  ['http/'], // what a request and a response carry, and how: credentials, parameters, headers
  ['contract/'], // what the generator writes
  ['json/', 'limits/'], // pointers, numbers, patterns, the validator; quotas and bans
];

/** The layers of the command: its subcommands do not import each other. */
const cli = [
  ['create/'],
  ['check/', 'dev/', 'fill/', 'package/', 'release/', 'todo/'],
  ['build/', 'diff/', 'generate/'],
  ['rules/'],
  ['error-body/'], // the first error-body.ts of a service
  ['support/'],
  ['package-version.ts'],
  ['service.ts'],
  ['command.ts', 'progress.ts', 'workspace.ts'],
];

/** @param {string} name */
const escaped = (name) => name.replaceAll('.', '\\.');
/** @param {string} folder @param {string[]} names */
const oneOf = (folder, names) => `^${folder}/src/(${names.map(escaped).join('|')})`;

/**
 * A rule for each entry: nothing above it, and nothing else in its layer.
 *
 * @param {string} folder
 * @param {string[][]} layers
 */
const onlyDown = (folder, layers) => [
  ...layers.flatMap((names, layer) =>
    names.flatMap((name) => {
      const closed = [...layers.slice(0, layer).flat(), ...names.filter((other) => other !== name)];
      if (closed.length === 0) return [];
      return [
        {
          name: `${name} imports only from the layers below`,
          severity: 'error',
          from: { path: oneOf(folder, [name]) },
          to: { path: oneOf(folder, closed) },
        },
      ];
    }),
  ),
  {
    name: `every file of ${folder} has a layer`,
    severity: 'error',
    from: {},
    to: { path: `^${folder}/src/`, pathNot: oneOf(folder, layers.flat()) },
  },
];

module.exports = {
  forbidden: [
    ...onlyDown('packages/kit/core', core),
    {
      name: 'a room of core is entered through its index',
      severity: 'error',
      from: { path: '^packages/kit/core/src/([^/]+)/' },
      to: {
        path: '^packages/kit/core/src/[^/]+/',
        pathNot: '^packages/kit/core/src/($1/|[^/]+/index[.]ts$)',
      },
    },
    ...onlyDown('packages/kit/server', server),
    ...onlyDown('packages/kit/cli', cli),
    ...Object.entries(packages).map(([name, known]) => ({
      name: `${name} imports only ${known.join(' and ') || 'itself'}`,
      severity: 'error',
      from: { path: `^${name}/src/` },
      // By its name if it is not built yet: then it has no file.
      to: { path: `^(packages|apps|@${service})/`, pathNot: [name, ...known].map((name) => `^${name}/`) },
    })),
    {
      // A type alone ties no feature to another: the row of a table that a transaction over both writes, for example.
      name: 'a feature imports only types of another: shared code is in apps/server/src/shared',
      severity: 'error',
      from: { path: '^apps/server/src/([^/]+)/', pathNot: '^apps/server/src/shared/' },
      to: {
        path: '^apps/server/src/[^/]+/',
        pathNot: '^apps/server/src/($1|shared)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'shared code imports no feature',
      severity: 'error',
      from: { path: '^apps/server/src/shared/' },
      to: { path: '^apps/server/src/[^/]+/', pathNot: '^apps/server/src/shared/' },
    },
    {
      name: 'what most starts do without is imported when it is needed',
      severity: 'error',
      from: { path: '^packages/kit/server/src/' },
      to: {
        path: '^packages/kit/server/src/(limits/redis-client|docs/(html|markdown)|mcp/tool-server)\\.|^node_modules/yaml/',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'the kit is entered as its users enter it',
      severity: 'error',
      from: { pathNot: '^packages/kit/' },
      to: { path: '^packages/kit/[^/]+/src/' },
    },
    { name: 'no cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'a package is entered through its name',
      severity: 'error',
      from: { path: '^(packages/kit|packages|apps|scripts)/([^/]+)' },
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
      },
    },
    {
      name: 'what runs does not need what only tests and builds have',
      severity: 'error',
      // The client bundles its dependencies.
      from: { path: '^(packages/kit|packages|apps)/(?!client/)[^/]+/src/' },
      // A peer dependency is there for its tests too.
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'npm-peer'] },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '/dist/'] },
    exclude: { path: ['docs/browser/', 'kitchen-sink/(rows|unusual|newest|bodies)'] },
    // The client by its sources: it may not have been built.
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
