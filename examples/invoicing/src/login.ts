import type { Authenticate, SharedServices } from '@contract-kit/server';
import express, { type Express } from 'express';
import type { Settings } from './settings.ts';
import { problem } from './shared/problem.ts';
import { readToken, signToken } from './token.ts';
import type { Store as UserStore } from './users/store.ts';

declare module '@contract-kit/server' {
  interface Claims {
    readonly tenants: readonly string[];
  }
}

interface Needed {
  readonly stores: { readonly users: UserStore };
  readonly settings: Settings;
}

const HOUR = 3_600;
const SCOPES = ['customers:write', 'payments:write'];

/** `POST /login` gives a token for a name and a password. */
export function addLogin(app: Express, { stores, settings, now }: SharedServices<Needed>): void {
  app.post('/login', express.json(), async (req, res) => {
    const { name, password } = (req.body ?? {}) as { name?: unknown; password?: unknown };
    const user = await stores.users.check(String(name), String(password));
    if (!user) {
      const { status, body } = problem(401, 'The name or the password is wrong.');
      res.status(status).type('application/problem+json').json(body);
      return;
    }
    const exp = Math.floor(now() / 1000) + HOUR;
    res.json({ token: signToken({ sub: user.name, tenants: user.tenants, exp }, settings.LOGIN_KEY) });
  });
}

export const authenticate: Authenticate<Needed> = (text, _request, { settings }) => {
  const token = readToken(text, settings.LOGIN_KEY);
  if (!token) return undefined;
  const expiresAt = new Date(token.exp * 1000);
  return { id: `user:${token.sub}`, scopes: SCOPES, claims: { tenants: token.tenants }, expiresAt };
};
