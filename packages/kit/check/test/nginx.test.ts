import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeWith, freePorts, startNginx, type Program } from '@kit/local-stack';
import { startForCheck } from '@kit/server/checking';
import { newFolder } from '@kit/server/testing';
import { contractOf } from '@kit/tools/contract-value';
import { parseContract } from '@kit/tools/source-document';
import { renderTemplates, templateValues } from '@kit/tools/templates';

describeWith(['nginx'], 'behind nginx', () => {
  const programs: Program[] = [];
  let service: Awaited<ReturnType<typeof startForCheck>>;
  /** Addresses of nginx, in front of a service and of none. */
  let [entry, closed] = ['', ''];

  beforeAll(async () => {
    const file = path.join(import.meta.dirname, '../../tools/test/kitchen-sink/open.yaml');
    const source = parseContract(readFileSync(file, 'utf8'));
    const names = { name: 'shelves', keyPrefix: 'sh_', databaseFile: 'store.db' };
    const folder = newFolder();
    chmodSync(folder, 0o711);
    const files = await renderTemplates('generated', templateValues(source, names));
    mkdirSync(path.join(folder, 'deploy'));
    for (const [name, text] of Object.entries(files))
      if (/nginx|\.conf$/.test(name)) writeFileSync(path.join(folder, name), text);
    const contract = contractOf(source, names);
    const handlerOf = () => () => ({ status: 204 });
    service = await startForCheck(contract, { dataDir: newFolder(), handlerOf });
    const ports = await freePorts(3);
    const [port = 0, portOfClosed = 0, down = 0] = ports;
    const options = { deploy: path.join(folder, 'deploy') };
    const instance = Number(new URL(service.origin).port);
    programs.push(
      await startNginx({ ...options, folder: path.join(folder, 'one'), port, instances: [instance] }),
      await startNginx({
        ...options,
        folder: path.join(folder, 'none'),
        port: portOfClosed,
        instances: [down],
      }),
    );
    [entry, closed] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${portOfClosed}`];
  });

  afterAll(() => Promise.all([...programs.map((program) => program.end('SIGTERM')), service.stop()]));

  const send = (origin: string, bytes: number) =>
    fetch(`${origin}/api/forms`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/octet-stream' },
      body: 'a'.repeat(bytes),
    });

  test('a body passes up to the limit of the contract', async () => {
    expect((await send(entry, 2_000_000)).status).toBe(204);
  });

  test.each([
    [413, 'payload_too_large', () => send(entry, 2_000_001)],
    [404, 'not_found', () => fetch(`${entry}/metrics`)],
    [503, 'service_unavailable', () => send(closed, 2_000_000)],
  ])('nginx responds with %s in the error shape of the contract', async (status, title, ask) => {
    const response = await ask();
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({ title, status });
  });
});
