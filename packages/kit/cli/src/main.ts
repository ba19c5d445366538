import { TERMINAL, type Terminal } from './command.ts';

interface Subcommand {
  readonly about: string;
  /** Loads it: most runs need one of them. */
  readonly load: () => Promise<{ readonly main: (terminal: Terminal) => Promise<number> }>;
}

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  create: { about: 'make the repository of a service', load: () => import('./create/main.ts') },
  generate: { about: 'generate code and pages from the contract', load: () => import('./generate/main.ts') },
  check: { about: 'tell whether contracts work', load: () => import('./check/main.ts') },
  diff: { about: 'compare the contract with the last release', load: () => import('./diff/main.ts') },
  fill: { about: 'write into the contract what the server adds', load: () => import('./fill/main.ts') },
  todo: { about: 'list the operations without a handler', load: () => import('./todo/main.ts') },
  dev: { about: 'generate, check and serve on each save', load: () => import('./dev/main.ts') },
  build: { about: 'build the service, its client and its tools', load: () => import('./build/main.ts') },
  package: { about: 'write the folder to deploy', load: () => import('./package/main.ts') },
  release: { about: 'make a release', load: () => import('./release/main.ts') },
};

const width = Math.max(...Object.keys(SUBCOMMANDS).map(({ length }) => length));
const USAGE = `Usage: contract-kit COMMAND [options]

${Object.entries(SUBCOMMANDS)
  .map(([name, { about }]) => `  ${name.padEnd(width)}   ${about}`)
  .join('\n')}

  contract-kit COMMAND --help prints the options of a command.`;

/** Runs a subcommand. Its exit code: 2 for wrong usage. */
async function run({ args: [name, ...args], ...terminal }: Terminal): Promise<number> {
  const subcommand = Object.hasOwn(SUBCOMMANDS, name ?? '') ? SUBCOMMANDS[name ?? ''] : undefined;
  if (subcommand) return (await subcommand.load()).main({ ...terminal, args });
  if (name === '--help') {
    terminal.out(USAGE);
    return 0;
  }
  terminal.err(name === undefined ? USAGE : `Unknown command '${name}'\n\n${USAGE}`);
  return 2;
}

process.exitCode = await run(TERMINAL);
