// Compiles users of the packed client with other versions of TypeScript: npm run test:full --workspace @petstore/client
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const packageFolder = path.resolve(import.meta.dirname, '..');
const versions = process.argv.slice(2);
if (versions.length === 0) throw new Error('Name the versions, such as: 5.0 latest');

const PROGRAM = `
import { ApiError, createPetstore, type Order } from '@petstore/client';
import { stream, streamOrders } from '@petstore/client/stream';
import { createFakePetstore } from '@petstore/client/testing';

const { fetch } = createFakePetstore({ answers: { listOrders: { body: [{ id: 1 }] } }, plan: 'free' });
const petstore = createPetstore({ apiKey: 'pst_…', fetch });
// @ts-expect-error -- there is no such option
createPetstore({ retries: 3 });
export async function main(): Promise<Order[]> {
  await petstore.cancelOrder({ orderId: 9007199254740993n });
  // @ts-expect-error -- an order has an id
  await petstore.cancelOrder({});
  try {
    const orders: Order[] = await petstore.listOrders();
    for await (const { id } of streamOrders(petstore)) console.log(id satisfies number | undefined);
    for await (const { id } of stream({ listOrders: async () => orders }, 'listOrders')) console.log(id);
    return orders;
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) console.log(error.code satisfies string);
    throw error;
  }
}
`;

const run = (cwd, file, ...args) => execFileSync(file, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
const install = (cwd, ...what) =>
  run(cwd, 'npm', 'install', '--no-save', '--ignore-scripts', '--no-audit', '--silent', ...what);

const folder = mkdtempSync(path.join(tmpdir(), 'petstore-typescript-'));
try {
  run(folder, 'npm', 'pack', packageFolder, '--pack-destination', folder, '--silent', '--ignore-scripts');
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  for (const version of versions) {
    const user = path.join(folder, version);
    mkdirSync(user);
    writeFileSync(path.join(user, 'package.json'), '{ "private": true }');
    install(user, `typescript@${version}`, path.join(folder, tarball));
    for (const name of ['user.mts', 'user.cts']) writeFileSync(path.join(user, name), PROGRAM);
    const tsc = path.join(user, 'node_modules/.bin/tsc');
    // Without skipLibCheck: the client's own types are what is tried.
    const settings = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022'];
    let verdict = 'compiled';
    try {
      run(user, tsc, ...settings, '--lib', 'es2022,dom,dom.iterable', 'user.mts', 'user.cts');
    } catch (error) {
      process.stdout.write(error.stdout ?? String(error));
      verdict = 'failed';
      process.exitCode = 1;
    }
    console.log(`${verdict}: ${String(run(user, tsc, '--version')).trim()}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
