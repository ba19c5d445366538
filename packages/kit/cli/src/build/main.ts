import { runCommand, UsageError, type Terminal } from '../command.ts';
import { houseRules } from '../rules/check-contract.ts';
import { readService } from '../service.ts';
import { root } from '../workspace.ts';

const USAGE = `Usage: contract-kit build [PART …]

Builds the parts of the service for production, from generated code:

  server   apps/server/dist: the command of the service, in a few files
  client   packages/client/dist: the client, with CommonJS and types
  mcp      packages/mcp/dist: the command that serves the tools for agents

All of them if no part is given.

  --help   print this`;

const PARTS = ['server', 'client', 'mcp'];

export const main = (terminal: Terminal) =>
  runCommand(
    USAGE,
    {},
    async (_values, ...parts) => {
      const unknown = parts.find((part) => !PARTS.includes(part));
      if (unknown !== undefined) throw new UsageError(`Unknown part '${unknown}'`);
      const { name } = (await readService(houseRules)).names;
      for (const part of parts.length === 0 ? PARTS : parts) await build(part, name);
      return 0;
    },
    terminal,
    PARTS.length,
  );

async function build(part: string, service: string): Promise<void> {
  if (part === 'server') await (await import('./build-server.ts')).buildServer();
  else if (part === 'client') await (await import('./build-client.ts')).buildClient(service);
  else await (await import('./build-mcp.ts')).buildMcp();
  if (part !== 'client') await markBuilt(part);
}

/** So that the bin of the program does not build it again. */
async function markBuilt(part: string): Promise<void> {
  const stale = new URL('../../bin/build-if-stale.js', import.meta.url).href;
  const { markBuilt } = (await import(stale)) as { markBuilt: (root: string, part: string) => void };
  markBuilt(root, part);
}
