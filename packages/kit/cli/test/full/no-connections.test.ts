import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { newFolder, REFUSED, refusedWith, withAddress, WORKING } from '@contract-kit/test-support/testing';
import { startForCheck } from '@contract-kit/server/internals';
import { contractOf, parseContract } from '@contract-kit/core/openapi';
import { fillContract } from '../../src/fill/fill-contract.ts';
import { judge } from '../../src/diff/gate.ts';
import { root } from '../../src/workspace.ts';
import { checkFile, NAMES } from '../../src/check/check-file.ts';

/* Nothing in a contract makes a command open a connection: every field that takes a URL or a reference has the address of a listener. */

let connections = 0;
const listener = createServer((socket) => {
  connections += 1;
  socket.destroy();
});
let address = '';

beforeAll(async () => {
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  address = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
});
afterAll(() => {
  listener.close();
});

function fileWith(text: string): string {
  const file = path.join(newFolder(), 'openapi.yaml');
  writeFileSync(file, text);
  return file;
}

test('no command opens a connection to an address in a contract', async () => {
  const text = withAddress(address);
  const file = fileWith(text);
  // All that `npm run generate` writes from it, a server, its client, and its tools for agents.
  const { works, lines } = await checkFile(file);
  expect([works, lines[0]]).toEqual([true, `${file}: works`]);
  const contract = parseContract(text);
  expect(fillContract(contract).get('')).toContain(address);
  expect(judge(contract, contract, '2026-11-26').changes).toEqual([]);
  // As `npm run contract:lint` does.
  const config = 'extends: [recommended-strict]\ntelemetry: off\nrules: { no-unresolved-refs: off }\n';
  writeFileSync(path.join(path.dirname(file), 'redocly.yaml'), config);
  const lint = [
    '--import',
    path.join(root, 'scripts/no-fetch.mjs'),
    path.join(root, 'node_modules/@redocly/cli/bin/cli.js'),
  ];
  await promisify(execFile)(process.execPath, [...lint, 'lint', 'openapi.yaml', '--generate-ignore-file'], {
    cwd: path.dirname(file),
  });
  expect(connections).toBe(0);
}, 120_000);

test('the pages of a service show addresses of its contract, and load nothing from them', async () => {
  const contract = contractOf(parseContract(withAddress(address)), NAMES);
  const service = await startForCheck(contract, {
    dataDir: newFolder(),
    handlerOf: () => () => ({ status: 200 }),
  });
  try {
    for (const page of ['/docs', '/docs.md', '/openapi.json', '/openapi.yaml']) {
      const response = await fetch(service.origin + page);
      const shown = await response.text();
      expect([page, response.status]).toEqual([page, 200]);
      // The policy of the page blocks images of other hosts.
      expect(shown).not.toMatch(/<(script|link|iframe)[^>]*127\.0\.0\.1/);
      if (page !== '/docs') continue;
      const policy = response.headers.get('Content-Security-Policy') ?? '';
      expect(policy).toMatch(/default-src 'none'/);
      expect(policy).toMatch(/img-src 'self'(;|$)/);
    }
  } finally {
    await service.stop();
  }
  expect(connections).toBe(0);
});

test.each([
  ...REFUSED.map((row) => [...row, false] as const),
  ...WORKING.map((row) => [...row, true] as const),
])('an address leads to no connection in %s', async (_what, said, change, isWorking) => {
  for (const url of [address, address.replace('http:', ''), `${address}/item.yaml#/Item`]) {
    const file = fileWith(refusedWith(change(url)));
    const { works, lines } = await checkFile(file);
    expect([works, lines.join('\n')]).toEqual([isWorking, expect.stringContaining(said)]);
  }
  expect(connections).toBe(0);
});

const SHARED = 'Item: { type: string }\n';
const referring = (reference: string) =>
  `openapi: 3.1.0
info: { title: A, version: '1' }
paths: { /a: { get: { responses: { '200': { description: A., content: { application/json: { schema: { $ref: '${reference}' } } } } } } } }
`;

test.each([
  ['..', '../common.yaml#/Item'],
  ['.. in the middle', 'schemas/../../common.yaml#/Item'],
  ['an encoded ..', '%2e%2e/common.yaml#/Item'],
  ['a link', 'linked.yaml#/Item'],
  ['a link to a folder', 'folder/common.yaml#/Item'],
])('a file outside the folder of the contract is read only below --root: %s', async (_what, reference) => {
  const above = newFolder();
  const folder = path.join(above, 'api');
  mkdirSync(folder);
  writeFileSync(path.join(above, 'common.yaml'), SHARED);
  symlinkSync(path.join(above, 'common.yaml'), path.join(folder, 'linked.yaml'));
  symlinkSync(above, path.join(folder, 'folder'));
  const file = path.join(folder, 'openapi.yaml');
  writeFileSync(file, referring(reference));
  const advice = 'leads out of the folder of the contract: add --root DIR, a folder that has both';
  const quick = { isQuick: true };
  expect((await checkFile(file, quick)).lines.join('\n')).toContain(advice);
  const { lines } = await checkFile(file, { ...quick, root: above });
  expect(lines).toEqual([`${file}: can be generated from; nothing was tried`]);
  expect((await checkFile(file, { ...quick, root: folder })).works).toBe(false);
});
