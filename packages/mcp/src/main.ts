import { parseArgs } from 'node:util';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { readModel, serverFactory, toolsOf, type Rejection, type ToolOptions } from '@contract-kit/mcp';
import { createPetstore, CallError } from '@petstore/client';
import { contract, servers } from '@petstore/contract';
import manifest from '../package.json' with { type: 'json' };

/** MCP clients time out after about a minute. Before that, a model gets the time of the next call. */
const budget = 30_000;

const [address] = Object.values<string>(servers);

const HELP = `Usage: petstore-mcp [options]

Gives an MCP client, over stdin and stdout, a tool for each operation of the API of petstore.

Options:
  --read-only   leave out the operations that change anything
  --deprecated  have the deprecated operations too
  --help        print this
  --version     print the version

Environment:
  PETSTORE_API_KEY   the API key, pst_…
  PETSTORE_BASE_URL  where the API is${address === undefined ? '' : ` (default: ${address})`}
`;

function main(): void {
  let flags;
  try {
    const flag = { type: 'boolean' } as const;
    const options = { 'read-only': flag, deprecated: flag, help: flag, version: flag };
    flags = parseArgs({ options }).values;
  } catch (error) {
    return fail(2, `${(error as Error).message}; see petstore-mcp --help`);
  }
  if (flags.help) process.stdout.write(HELP);
  else if (flags.version) process.stdout.write(`${manifest.version}\n`);
  else serve({ readOnly: flags['read-only'], deprecated: flags.deprecated });
}

function serve(options: ToolOptions): void {
  const { version } = manifest;
  try {
    const client = createPetstore({ budget });
    const tools = toolsOf(readModel(contract.document), options);
    const isRejection = (error: unknown): error is Rejection => error instanceof CallError;
    const makeServer = serverFactory({ contract, isRejection, tools, version });
    const served = serveStdio(() => makeServer(client));
    // Aborts running calls, so that the process can end.
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void served.close());
  } catch (error) {
    fail(
      1,
      `${(error as Error).message}; correct PETSTORE_API_KEY or PETSTORE_BASE_URL in the "env" of this server`,
    );
  }
}

/** 1: it cannot start; 2: wrong usage. */
function fail(code: 1 | 2, message: string): void {
  process.stderr.write(`petstore-mcp: ${message}\n`);
  process.exitCode = code;
}

main();
