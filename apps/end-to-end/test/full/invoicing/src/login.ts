import { InvalidToken, type Authenticate, type SharedServices } from '@contract-kit/server';
import express, { type Express } from 'express';
import type { Settings } from './settings.ts';
import { readToken, signToken } from './token.ts';
import type { UserStore } from './users/store.ts';

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

/** `POST /login` gives a token for a name and a password. */
export function addLogin(app: Express, { stores, settings, now }: SharedServices<Needed>): void {
  app.post('/login', express.json(), async (req, res) => {
    const { name, password } = (req.body ?? {}) as { name?: unknown; password?: unknown };
    const user = await stores.users.check(String(name), String(password));
    if (!user) {
      res
        .status(401)
        .json({ code: 'unauthorized', message: 'The name or the password is wrong.', status: 401 });
      return;
    }
    const exp = Math.floor(now() / 1000) + HOUR;
    res.json({ token: signToken({ sub: user.name, tenants: user.tenants, exp }, settings.LOGIN_KEY) });
  });
}

export const authenticate: Authenticate<Needed> = (text, _request, { settings, now }) => {
  const token = readToken(text, settings.LOGIN_KEY);
  if (!token) return undefined;
  if (token.exp * 1000 <= now()) throw new InvalidToken('The token has expired.');
  return { id: `user:${token.sub}`, claims: { tenants: token.tenants } };
};
