import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { operations, problemsOf } from '../fuzz/conformance.ts';
import { casesOf } from '../fuzz/requests.ts';
import { petstore } from '../support/command.ts';
import { connectRaw } from '../support/raw.ts';

export interface Soak {
  readonly origin: string;
  readonly dataDir: string;
  /** A key without a quota that counts. */
  readonly key: string;
  readonly signal: AbortSignal;
  /** Says that something happened that must not. */
  readonly complain: (what: string) => void;
  readonly count: (what: string) => void;
  readonly took: (milliseconds: number) => void;
}

/** Everybody who is at the service at the same time. Each goes on until the signal. */
export const traffic: Readonly<Record<string, (soak: Soak) => Promise<void>>> = {
  async healthy({ origin, key, signal, complain, count, took }) {
    const ask = async (method: string, target: string, expected: readonly number[]) => {
      const started = performance.now();
      const response = await fetch(origin + target, { method, headers: { authorization: `Bearer ${key}` } });
      await response.arrayBuffer();
      took(performance.now() - started);
      count(`${method} ${response.status}`);
      // A busy machine may well be too slow for all this.
      if (response.status !== 503 && !expected.includes(response.status))
        complain(`${method} ${target} was ${response.status}`);
    };
    const client = async () => {
      while (!signal.aborted) {
        await ask('GET', '/v1/pets/1', [200, 404]);
        await ask('DELETE', `/v1/store/orders/${1 + Math.floor(Math.random() * 100_000)}`, [204, 404, 409]);
        await ask('GET', '/healthz', [200]);
        await sleep(20 * Math.random());
      }
    };
    const reader = async () => {
      while (!signal.aborted) await ask('GET', '/v1/store/orders', [200]).then(() => sleep(500));
    };
    await Promise.all([client(), client(), client(), client(), reader()]);
  },

  /** What the fuzzer sends. The clock is the real one, so that any answer may be 429 instead. */
  async fuzz({ origin, signal, complain, count }) {
    while (!signal.aborted) {
      for (const operation of operations) {
        const seed = Math.floor(Math.random() * 1e9);
        for (const each of fc.sample(casesOf(operation), { numRuns: 20, seed })) {
          const { status, problems } = await problemsOf(origin, each, [429, 503]);
          count(`fuzzed ${status}`);
          if (problems.length > 0) complain(`${each.what} (seed ${seed}): ${problems.join('; ')}`);
          await sleep(5);
        }
      }
    }
  },

  /** Connections that say nothing, or stop in the middle of a request. Each is replaced when it is cut off. */
  async idlers({ origin, signal, count }) {
    const idle = async (start: string) => {
      while (!signal.aborted) {
        const socket = connectRaw(origin).on('error', () => undefined);
        socket.resume().write(start);
        await once(socket, 'close', { signal }).catch(() => socket.destroy());
        count('idlers cut off');
        await sleep(100);
      }
    };
    const starts = ['', 'G', 'DELETE /v1/store/orders/1 HTTP/1.1\r\nHost: x\r\n'];
    await Promise.all(Array.from({ length: 300 }, (_, index) => idle(starts[index % starts.length] ?? '')));
  },

  async stalledReaders({ origin, key, signal, count }) {
    const stall = async () => {
      while (!signal.aborted) {
        const socket = connectRaw(origin).on('error', () => undefined);
        for (let index = 0; index < 40; index += 1) {
          socket.write(`GET /v1/store/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
        }
        await sleep(40_000, undefined, { signal }).catch(() => undefined);
        socket.resume();
        await Promise.race([
          once(socket, 'close').then(() => count('stalled readers cut off')),
          sleep(2_000),
        ]);
        socket.destroy();
      }
    };
    await Promise.all(Array.from({ length: 5 }, stall));
  },

  async junk({ origin, signal, count }) {
    const kinds = [
      'hello\r\n\r\n',
      '\x16\x03\x01',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      'GET / HTTP/1.1\r\n\r\n',
    ];
    kinds.push(`GET /v1 HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`);
    for (let index = 0; !signal.aborted; index += 1) {
      const socket = connectRaw(origin).on('error', () => undefined);
      socket.resume().write(kinds[index % kinds.length] ?? '', 'latin1');
      await Promise.race([once(socket, 'close'), sleep(15_000)]);
      count('junk');
      await sleep(20);
    }
  },

  async bans({ origin, dataDir, signal, complain, count }) {
    while (!signal.aborted) {
      const args = ['keys', 'create', '--plan', 'free', '--name', 'soak', '--json'];
      const { key } = JSON.parse((await petstore(args, { dataDir })).stdout) as { key: string };
      let last = '';
      for (let index = 0; index < 130;) {
        const response = await fetch(`${origin}/v1/pets/1`, { headers: { authorization: `Bearer ${key}` } });
        last = await response.text();
        if (response.status !== 503) index += 1;
      }
      if (!last.includes('api_key_banned')) complain(`a key that went on was not banned: ${last}`);
      count('bans');
      await sleep(10_000, undefined, { signal }).catch(() => undefined);
    }
  },

  async imports({ dataDir, signal, complain, count }) {
    while (!signal.aborted) {
      const input = JSON.stringify(Array.from({ length: 100 }, () => ({ petId: 1, quantity: 1 })));
      const { code, stderr } = await petstore(['orders', 'import', '-'], { dataDir, input });
      if (code !== 0) complain(`an import failed: ${stderr}`);
      count('imports');
      await sleep(15_000, undefined, { signal }).catch(() => undefined);
    }
  },
};
