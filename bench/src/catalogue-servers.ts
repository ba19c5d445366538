import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { runIn } from './checkout.ts';
import { environment, root } from './data.ts';
import type { Run } from './run.ts';
import { programOf, startServer, type Server } from './server.ts';

const execute = promisify(execFile);

export const cataloguePeers = ['express', 'fastify', 'hono', 'orpc'] as const;
export type CataloguePeer = (typeof cataloguePeers)[number];

const BUILD = 'bench/catalogue/build.ts';

/** Bundles the catalogue of a checkout, and makes its contracts, and larger ones with these numbers of operations. */
export function buildCatalogue(checkout = root, sizes: readonly number[] = []): void {
  runIn(checkout, process.execPath, '--import', 'tsx', BUILD, ...sizes.map(String));
}

/** Older checkouts have none. */
export function hasCatalogue(checkout: string): boolean {
  return existsSync(path.join(checkout, BUILD));
}

const builtIn = (checkout: string, file: string) => path.join(checkout, 'bench/dist', file);

/** A contract that build.ts has made: `open`, `keyed` or `operations-N`. */
const contractsOf = (checkout: string, name: string) => ({
  CONTRACT: builtIn(checkout, `catalogue/${name}.document.json`),
  CONTRACT_VALUE: builtIn(checkout, `catalogue/${name}.value.json`),
});

/** The service of a checkout with one of its contracts, and a key of it. */
export async function startCatalogue(
  run: Run,
  contract: string,
  { checkout = root, name = 'kit', isValidated = true } = {},
): Promise<{ server: Server; key: string }> {
  const DATA_DIR = path.join(run.folder, `catalogue-${crypto.randomUUID()}`);
  const settings = { ...contractsOf(checkout, contract), DATA_DIR };
  const program = builtIn(checkout, `${isValidated ? 'catalogue' : 'unvalidated'}/service.js`);
  const key = contract === 'keyed' ? await createKey(program, settings) : '';
  return { server: await startServer(run, name, [program, 'serve'], settings), key };
}

async function createKey(program: string, settings: object): Promise<string> {
  const unlimited = ['--per-minute', '1000000000', '--per-day', '1000000000'];
  const args = ['keys', 'create', '--quiet', '--name', 'load', '--plan', 'unlimited', ...unlimited];
  const options = { env: environment(settings) };
  const { stdout } = await execute(process.execPath, [program, ...args], options);
  return stdout.trim();
}

/** With `key`, only requests that have it are served. */
export function startCataloguePeer(run: Run, peer: CataloguePeer, key: string): Promise<Server> {
  const settings = { ...contractsOf(root, key === '' ? 'open' : 'keyed'), ...(key !== '' && { KEY: key }) };
  return startServer(run, peer, [programOf(`catalogue/${peer}`)], settings);
}
