import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import tls from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  describeWith,
  freePorts,
  mistakesInDeploy,
  pathOf,
  startNginx,
  startProgram,
  testAsRoot,
} from '@contract-kit/test-support';
import { startForCheck } from '../../src/checking.ts';
import { readConfig } from '../../src/config.ts';
import { newFolder, rateLimitIn, until } from '@contract-kit/test-support/testing';
import { responseTo } from '../../src/testing/raw.ts';
import { connectMcp, mcpRequest } from '@contract-kit/test-support/mcp-client';
import {
  contractText,
  newestContract,
  newestText,
  openContract,
  openErrorBody,
  openText,
} from '@contract-kit/test-support/contracts';
import { contract } from '../library/contract.ts';
import { deployFor, expectRefusal, programs } from '../library/deployed.ts';
import { command, expectError, startTestService, type TestService } from '../library/service.ts';

/* The generated files of `deploy`, in front of the real service. */

const list = (origin: string, headers = {}) => fetch(`${origin}/v1/loans`, { headers });

/** A worker that ends closes its connections, also under a request. */
const untilServed = (entry: string) =>
  until(() =>
    list(entry).then(
      ({ status }) => status === 401,
      () => false,
    ),
  );

describeWith(['nginx'], 'behind nginx as deployed', () => {
  let { folder, files, deploy, entry, closed } = {} as Awaited<ReturnType<typeof deployFor>>;
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({ env: { TRUST_PROXY: '127.0.0.1' }, validatesResponses: false });
    await service.addLoans([{ id: 1 }]);
    ({ folder, files, deploy, entry, closed } = await deployFor(service.origin, contractText, contract));
  });

  test('agents call the tools at /mcp, with the address of their machine', async () => {
    const { call } = await connectMcp(entry, await service.key());
    expect(await call('listLoans')).toMatchObject({ structuredContent: { items: [{ id: 1 }] } });
    expect(service.logged.at(-2)).toMatchObject({ operationId: 'listLoans', address: '127.0.0.1' });
    const statusFor = async (origin: string) =>
      (await fetch(`${entry}/mcp`, mcpRequest({ method: 'ping' }, undefined, { origin }))).status;
    expect([await statusFor(entry), await statusFor('https://evil.example')]).toEqual([200, 403]);
  });

  test('the files to copy are valid', () => {
    expect(mistakesInDeploy(newFolder(), deploy)).toBeUndefined();
  });

  test('passes responses through unchanged, and skips instances that are down', async () => {
    const authorization = `Bearer ${await service.key()}`;
    for (let remaining = 999; remaining > 989; remaining -= 1) {
      const response = await list(entry, { authorization, 'x-request-id': `mine-${remaining}` });
      expect([response.status, await response.json()]).toEqual([200, [{ id: 1 }]]);
      expect(response.headers.get('x-request-id')).toBe(`mine-${remaining}`);
      expect(rateLimitIn(response.headers).remaining).toBe(remaining);
    }
  });

  test('the log of nginx names the instance, and contains neither query nor key', async () => {
    const key = await service.key();
    const encoded = [...key].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
    const headers = { authorization: `Bearer ${key}`, 'x-request-id': 'logged' };
    for (const target of [key, encoded, encoded.toUpperCase(), encoded.replaceAll('%', '%2525')])
      await fetch(`${entry}/v1/books/before-${target}/after`, { headers });
    await fetch(`${entry}/v1/loans?secret=${key}`, { headers });
    const log = readFileSync(path.join(folder, 'one/access.log'), 'utf8');
    const lines = log
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as Record<string, unknown>);
    const logged = lines.filter(({ id }) => id === 'logged');
    const redacted = Array(4).fill('/v1/books/before-lib_…') as unknown[];
    expect(logged.map((line) => line['path'])).toEqual([...redacted, '/v1/loans']);
    expect(logged.at(-1)).toMatchObject({ method: 'GET', status: 400, instance_status: '400' });
    expect(logged.at(-1)?.['instance']).toContain(new URL(service.origin).host);
    for (const secret of ['secret', key.slice(4), encoded.slice(12)])
      expect(log.toLowerCase()).not.toContain(secret.toLowerCase());
  });

  test('the served documents name the address and port that the client used', async () => {
    const { servers } = (await (await fetch(`${entry}/openapi.json`)).json()) as {
      servers: { url: string }[];
    };
    expect(servers[0]?.url).toBe(`${entry}/v1`);
  });

  test.each(['/docs', '/docs/search.json'])(
    '%s arrives compressed if the client accepts that',
    async (path) => {
      const [compressed, plain] = await Promise.all(
        ['gzip', 'identity'].map((encoding) =>
          fetch(entry + path, { headers: { 'accept-encoding': encoding } }),
        ),
      );
      const codings = [compressed, plain].map((response) => response?.headers.get('content-encoding'));
      expect(codings).toEqual(['gzip', null]);
      expect(compressed?.headers.get('vary')).toBe('Accept-Encoding');
      expect(await compressed?.text()).toBe(await plain?.text());
    },
  );

  test('a request of HTTP/1.0 needs no Host, as on an instance', async () => {
    for (const origin of [service.origin, entry]) {
      const response = await responseTo(origin, 'GET /openapi.json HTTP/1.0\r\n\r\n');
      expect(response.status).toBe(200);
      const { servers } = (await response.json()) as { servers: { url: string }[] };
      expect(servers[0]?.url).toBe(`${origin}/v1`);
    }
  });

  test('a forged X-Forwarded-For changes nothing', async () => {
    const first = rateLimitIn((await list(entry, { 'x-forwarded-for': '203.0.113.1' })).headers);
    const second = rateLimitIn((await list(entry, { 'x-forwarded-for': '203.0.113.2' })).headers);
    expect(second.remaining).toBe(Number(first.remaining) - 1);
  });

  test('responds with 503 and Retry-After while no instance responds', async () => {
    const response = await list(closed, { 'x-request-id': 'mine' });
    expect(response.headers.get('retry-after')).toBe('1');
    expect(response.headers.get('x-request-id')).toBe('mine');
    expect(response.headers.get('cache-control')).toBe('no-store');
    await expectRefusal(response, 'service_unavailable');
    // A request id that contains a key is replaced.
    const { headers } = await list(closed, { 'x-request-id': await service.key() });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
  });

  const send = (method: string, target: string, headers = '') =>
    `${method} ${target} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n${headers}\r\n`;
  const get = (headers: string) => send('GET', '/v1/loans', headers);

  test('the service itself rejects headers that are too large, with its X-RateLimit headers', async () => {
    const response = await responseTo(entry, get(`X-Long: ${'x'.repeat(20_000)}\r\n`));
    expect(rateLimitIn(response.headers).limit).toBe(60);
    await expectError(response, 'request_header_fields_too_large');
  });

  const LONG = 'x'.repeat(40_000);
  test.concurrent.each([
    ['headers of 40 kB', get(`X-Long: ${LONG}\r\n`), 'request_header_fields_too_large'],
    ['an address of 40 kB', send('GET', `/${LONG}`), 'request_header_fields_too_large'],
    ['bytes that are not HTTP', 'nonsense\r\n\r\n', 'invalid_request'],
    ['a missing Host', 'GET /v1/loans HTTP/1.1\r\n\r\n', 'invalid_request'],
    ['another version of HTTP', 'GET / HTTP/7.0\r\nHost: h\r\n\r\n', 'invalid_request'],
    ['an unknown transfer coding', get('Transfer-Encoding: rot13\r\n'), 'invalid_request'],
    ['a body of 2 MB', get('Content-Length: 2000000\r\n'), 'payload_too_large'],
    ['TRACE', send('TRACE', '/v1/loans'), 'method_not_allowed'],
    ['the metrics', send('GET', '/v1/../%6detrics?x'), 'not_found'],
    ['an internal address', send('GET', '/.nginx/503'), 'not_found'],
  ] as const)('nginx responds to %s with an Error object', async (_what, request, code) => {
    const response = await responseTo(entry, request);
    expect(response.headers.has('allow')).toBe(code === 'method_not_allowed');
    expect(response.headers.has('retry-after')).toBe(false);
    await expectRefusal(response, code);
  });

  describe('agrees with the service', () => {
    const conf = () => files['deploy/nginx.conf'] ?? '';
    const upstream = () => conf().slice(conf().indexOf('upstream library {'));

    /** Seconds of a directive of nginx. */
    const secondsIn = (text: string, directive: string) =>
      Number(new RegExp(`^ *${directive} (\\d+)s;`, 'm').exec(text)?.[1]);
    /** Seconds of a time-out of the service. */
    const secondsOf = (name: string, file = 'listener/listener') => {
      const source = readFileSync(path.join(import.meta.dirname, `../../src/${file}.ts`), 'utf8');
      return Number(new RegExp(`${name}(?::| =) ([\\d_]+)`).exec(source)?.[1]?.replace('_', '')) / 1000;
    };

    test('nginx has the time-outs of an instance for slow clients, and closes idle connections first', () => {
      expect(secondsIn(conf(), 'client_header_timeout')).toBe(secondsOf('headersTimeout'));
      expect(secondsIn(conf(), 'client_body_timeout')).toBe(secondsOf('BODY_TIME', 'pipeline/wait-for-body'));
      expect(secondsIn(upstream(), 'keepalive_timeout')).toBeLessThan(secondsOf('keepAliveTimeout'));
    });

    test.each(['library-upstream.conf', 'compose.yaml'])(
      'nginx uses a restarted instance again before the next one stops: %s',
      (name) => {
        const pauses = [...(files[`deploy/${name}`] ?? '').matchAll(/fail_timeout=(\d+)s/g)];
        expect(pauses).toHaveLength(2);
        // nginx counts in whole seconds: up to one more.
        for (const [, seconds] of pauses)
          expect(Number(seconds) + 1).toBeLessThan(readConfig({}).shutdownDelaySeconds);
      },
    );
  });

  test.concurrent('a rolling restart fails no request', async () => {
    const [port = 0, ...instances] = await freePorts(3);
    const entry = `http://127.0.0.1:${port}/openapi.json`;
    const serve = (instance: number) =>
      // An empty variable means the default delay.
      command.serve({ dataDir: newFolder(), env: { SHUTDOWN_DELAY_SECONDS: '' } }, ['--port', `${instance}`]);
    const servers = await Promise.all(instances.map(serve));
    programs.push(await startNginx({ folder: path.join(folder, 'two'), port, instances, deploy }));
    const statuses = new Set<number>();
    let isOver = false;
    const client = async () => {
      // A hundred requests a second leave CPU time to the starting instances.
      for (; !isOver; await sleep(25)) statuses.add((await fetch(entry)).status);
    };
    const clients = Promise.all([client(), client(), client(), client()]);
    for (const [index, instance] of instances.entries()) {
      await servers[index]?.kill('SIGTERM');
      servers[index] = await serve(instance);
    }
    isOver = true;
    await clients;
    expect([...statuses]).toEqual([200]);
  });
});

describeWith(['nginx', 'OpenSSL'], 'behind nginx with a certificate', () => {
  let origin: string;

  beforeAll(async () => {
    const service = await startTestService({ validatesResponses: false });
    const folder = newFolder();
    chmodSync(folder, 0o711);
    const [certificate, key] = ['certificate.pem', 'key.pem'].map((name) => path.join(folder, name));
    const request = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost -days 1`;
    const files = ['-keyout', key ?? '', '-out', certificate ?? ''];
    execFileSync(pathOf('OpenSSL'), [...request.split(' '), ...files], { stdio: 'ignore' });
    const [port] = await freePorts(1);
    origin = `http://127.0.0.1:${port}`;
    const lines = `listen 127.0.0.1:${port} ssl; ssl_certificate ${certificate}; ssl_certificate_key ${key};`;
    await deployFor(service.origin, contractText, contract, { lines });
  });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)('speaks %s', async (version) => {
    const { hostname: host, port } = new URL(origin);
    const limits = { minVersion: version, maxVersion: version, rejectUnauthorized: false };
    const socket = tls.connect({ host, port: Number(port), ...limits });
    await once(socket, 'secureConnect');
    expect(socket.getProtocol()).toBe(version);
    socket.destroy();
  });

  test('a request without TLS gets an Error object that says so', async () => {
    const response = await fetch(`${origin}/v1/loans`);
    expect(await response.clone().text()).toContain('https://');
    await expectRefusal(response, 'invalid_request');
  });
});

describeWith(['nginx', 'unshare'], 'behind nginx on a machine that fails', () => {
  /** nginx with `server` as its upstream, after a shell command that mounts what only nginx sees. Needs root. */
  async function deployWithMounts(server: string, mountIn: (folder: string) => string) {
    const first = await deployFor([Number(server.split(':')[1])], contractText, contract);
    await first.nginx.end();
    const folder = path.join(first.folder, 'one');
    writeFileSync(path.join(folder, 'library-upstream.conf'), `server ${server};\n`);
    const args = `-p ${folder} -c ${folder}/nginx.conf -g 'daemon off; pid ${folder}/nginx.pid;'`;
    const script = `${mountIn(folder)} && exec ${pathOf('nginx')} ${args}`;
    const nginx = startProgram('unshare', ['--mount', 'sh', '-c', script]);
    programs.push(nginx);
    const { entry } = first;
    await until(() => list(entry).then(Boolean, () => false));
    return { nginx, entry };
  }
  // Only root may mount folders and files over those of the machine.
  testAsRoot('on a full disk only requests with bodies over 8 kB fail, with 503', async () => {
    const service = await startTestService({ validatesResponses: false });
    const { entry } = await deployWithMounts(
      new URL(service.origin).host,
      (folder) => `mount -t tmpfs -o size=4k tmpfs ${folder}/client_body`,
    );
    const post = (bytes: number) => fetch(`${entry}/v1/loans`, { method: 'POST', body: 'a'.repeat(bytes) });
    expect([(await list(entry)).status, (await post(8_000)).status]).toEqual([401, 401]);
    await expectRefusal(await post(20_000), 'service_unavailable');
  });

  testAsRoot('an instance whose name leads elsewhere is missing until nginx is reloaded', async () => {
    const hosts = path.join(newFolder(), 'hosts');
    writeFileSync(hosts, '127.0.0.1 library.test\n');
    const service = await startTestService({ validatesResponses: false });
    const { port } = new URL(service.origin);
    const { nginx, entry } = await deployWithMounts(
      `library.test:${port}`,
      () => `mount --bind ${hosts} /etc/hosts`,
    );
    expect((await list(entry)).status).toBe(401);
    await service.stop();
    writeFileSync(hosts, '127.0.0.2 library.test\n');
    await command.serve({ dataDir: newFolder(), env: { HOST: '127.0.0.2' } }, ['--port', port]);
    await expectRefusal(await list(entry), 'service_unavailable');
    nginx.child.kill('SIGHUP');
    await untilServed(entry);
  });

  test('a worker that is killed, as when memory is used up, is replaced', async () => {
    const service = await startTestService({ validatesResponses: false });
    const { nginx, entry } = await deployFor(service.origin, contractText, contract);
    const { pid } = nginx.child;
    const workers = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    for (const worker of workers) process.kill(Number(worker), 'SIGKILL');
    await untilServed(entry);
  });
});

describeWith(['nginx'], 'behind nginx, with the error shape of the contract', () => {
  let { entry, closed } = {} as Awaited<ReturnType<typeof deployFor>>;
  let service: Awaited<ReturnType<typeof startForCheck>>;

  beforeAll(async () => {
    const shelves = openContract();
    const handlerOf = () => () => ({ status: 204 });
    service = await startForCheck(shelves, { dataDir: newFolder(), handlerOf, errorBody: openErrorBody });
    ({ entry, closed } = await deployFor(service.origin, openText, shelves, { errorBody: openErrorBody }));
  });

  afterAll(() => service.stop());

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

describeWith(['nginx'], 'behind nginx, with a QUERY', () => {
  test('it passes with its body, and is sent again to the next instance', async () => {
    const newest = newestContract();
    let bodies: unknown[] = [];
    const handle = ({ body }: { body: unknown }) => {
      bodies = [...bodies, body];
      return { status: 200, body: [] };
    };
    const service = await startForCheck(newest, { dataDir: newFolder(), handlerOf: () => handle });
    const { entry } = await deployFor(service.origin, newestText, newest);
    const headers = { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' };
    const sent = [1, 2, 3].map((id) => ({ ids: [id] }));
    for (const body of sent) {
      const response = await fetch(`${entry}/v1/books`, {
        method: 'QUERY',
        headers,
        body: JSON.stringify(body),
      });
      expect([response.status, response.headers.get('accept-query')]).toEqual([200, '"application/json"']);
    }
    expect(bodies).toEqual(sent);
    await service.stop();
  });
});
