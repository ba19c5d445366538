import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Database } from '@contract-kit/server';

const derive = promisify(scrypt) as (password: string, salt: string, length: number) => Promise<Buffer>;

export interface User {
  readonly name: string;
  readonly tenants: readonly string[];
}

export const createStore = ({ query }: Database) => ({
  /** Adds a user, or gives one a new password and other tenants. */
  async put({ name, tenants }: User, password: string) {
    const salt = randomBytes(16).toString('hex');
    const hash = (await derive(password, salt, 32)).toString('hex');
    await query(
      `INSERT INTO users (name, tenants, salt, hash) VALUES ($1, $2, $3, $4)
       ON CONFLICT (name) DO UPDATE SET tenants = excluded.tenants, salt = excluded.salt, hash = excluded.hash`,
      [name, tenants.join(' '), salt, hash],
    );
  },
  /** The user, if this is the password. */
  async check(name: string, password: string): Promise<User | undefined> {
    const [row] = await query<{ tenants: string; salt: string; hash: string }>(
      'SELECT tenants, salt, hash FROM users WHERE name = $1',
      [name],
    );
    if (!row) return undefined;
    const hash = await derive(password, row.salt, 32);
    if (!timingSafeEqual(hash, Buffer.from(row.hash, 'hex'))) return undefined;
    return { name, tenants: row.tenants.split(' ') };
  },
});

export type Store = ReturnType<typeof createStore>;
