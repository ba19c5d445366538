import path from 'node:path';
import { commandsOf, listen, newFolder } from '@contract-kit/test-support/testing';
import { parseContract } from '@contract-kit/core/openapi';
import { sourcesOf } from '../../src/check/check-file.ts';
import { checkedOf } from '../../src/check/checked.ts';
import { compileIn } from '../../src/check/compile.ts';
import { snippetsIn } from '../support/page-service.ts';
import { inFolder } from '../support/service-folder.ts';

/* The snippets of the pages identity, errors and commands, as one service: it compiles, and does what they say. */

const [handlers = '', authenticate = '', ...others] = snippetsIn('identity', 'ts');
const [errorBody = ''] = snippetsIn('errors', 'ts');
const [feature = ''] = snippetsIn('commands', 'ts');
const [commands = ''] = snippetsIn('identity', 'sh');

const CONTRACT = `openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
x-rate-limit-plans: { free: { name: Free, perMinute: 60, perDay: 1000 } }
paths:
  /notes:
    get:
      operationId: listNotes
      security: [{ key: [] }, { login: [notes:read] }]
      responses:
        '200': { description: Notes., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Note' } } } } }
    post:
      operationId: addNote
      security: [{ key: [] }, { login: [notes:write] }]
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }
      responses:
        '201': { description: Added., content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }
        '422': { description: Wrong., content: { application/problem+json: { schema: { type: object } } } }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Api-Key }
    login:
      type: oauth2
      flows: { clientCredentials: { tokenUrl: https://login.example, scopes: { 'notes:read': See., 'notes:write': Write. } } }
  schemas:
    Note: { type: object, required: [text], properties: { text: { type: string } }, additionalProperties: false }
`;
const TABLE = 'CREATE TABLE notes (id integer PRIMARY KEY, owner text NOT NULL, text text NOT NULL);\n';
const STORE = `import type { Database } from '@contract-kit/server';
export const createStore = ({ query }: Database) => ({
  of: (owner: string) => query<{ text: string }>('SELECT text FROM notes WHERE owner = $1', [owner]),
  add: (owner: string, text: string) =>
    query('INSERT INTO notes (owner, text) VALUES ($1, $2)', [owner, text]),
});
export type NoteStore = ReturnType<typeof createStore>;
`;
const MAIN = `import { defineService, runCommand } from '@contract-kit/server';
import { authenticate } from './authenticate.ts';
import { contract } from './contract.ts';
import { errorBody } from './error-body.ts';
import { feature } from './feature.ts';
const rest = { version: '1.0.0', description: 'Notes.', authenticate, errorBody };
await runCommand(defineService(contract, { notes: feature }, rest));
`;
/** What the type of claims is good for: a mistake in it does not compile. */
const CLAIMS = `import type { Claims } from '@contract-kit/server';
import './authenticate.ts';
export const tenant = ({ tenant }: Claims): string => tenant;
`;

/** The login server: it knows what to say of these tokens, and fails for others. */
const TOKENS: Readonly<Record<string, object>> = {
  ada: { active: true, sub: 'ada', exp: 4e9, scope: 'notes:read', tenant: 'shop-1' },
  late: { active: false, sub: 'ada', exp: 1e9, scope: '', tenant: 'shop-1' },
  eve: { active: false, sub: 'eve', exp: 4e9, scope: '', tenant: '' },
};

const startLogin = () =>
  listen((req, res) => {
    req.on('data', (sent: Buffer) => {
      const token = new URLSearchParams(sent.toString()).get('token') ?? '';
      res.writeHead(token in TOKENS ? 200 : 500).end(JSON.stringify(TOKENS[token]));
    });
  });

test('the service of the pages about identity, errors and commands compiles and does what they say', async () => {
  expect(others).toEqual([]);
  const login = await startLogin();
  const names = { name: 'notes', keyPrefix: 'notes_', databaseFile: 'store.db' };
  const own = {
    'handlers.ts': handlers.replace('@notes/contract', './contract.ts'),
    'authenticate.ts': authenticate.replace('https://login.example', login),
    'error-body.ts': errorBody,
    'feature.ts': feature,
    'store.ts': STORE,
    'claims.ts': CLAIMS,
    'main.ts': MAIN,
    'migrations/sqlite/0001-notes.sql': TABLE,
  };
  const sources = await sourcesOf(checkedOf(parseContract(CONTRACT), names));
  await inFolder({ ...sources, ...own }, async (folder) => {
    expect(await compileIn(folder)).toBeUndefined();
    const notes = commandsOf('notes', ['--import', 'tsx', path.join(folder, 'main.ts')]);
    const options = { dataDir: newFolder() };
    const [created, listed] = commands.trim().split('\n');
    const wordsOf = (line = '') =>
      [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word).slice(1);
    const { key } = await notes.json<{ key: string }>(wordsOf(created), options);
    expect((await notes.run(wordsOf(listed), options)).stdout).toContain('shop-1');

    const { origin } = await notes.serve(options);
    const ask = (headers: Record<string, string>, init: RequestInit = {}) =>
      fetch(`${origin}/notes`, { ...init, headers: { ...headers, 'content-type': 'application/json' } });
    const post = (text: unknown) =>
      ask({ 'x-api-key': key }, { method: 'POST', body: JSON.stringify({ text }) });
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    expect((await post('Hello')).status).toBe(201);
    // Another caller of the same owner sees it.
    expect(await (await ask(bearer('ada'))).json()).toEqual([{ text: 'Hello' }]);
    const statusOf = async (...request: Parameters<typeof ask>) => (await ask(...request)).status;
    expect(await statusOf(bearer('ada'), { method: 'POST', body: '{"text":"a"}' })).toBe(403);
    expect(await statusOf(bearer('eve'))).toBe(401);
    expect(await statusOf(bearer('unknown'))).toBe(503);
    const late = await ask(bearer('late'));
    expect([late.status, await late.json()]).toMatchObject([
      401,
      { title: 'The token was revoked or has expired.' },
    ]);
    const wrong = await post(1);
    expect([wrong.status, await wrong.json()]).toMatchObject([
      422,
      { status: 422, errors: [{ pointer: '#/text', detail: 'must be string' }] },
    ]);
    expect(await notes.json(['notes', 'count', 'shop-1'], options)).toEqual({ owner: 'shop-1', notes: 1 });
  });
}, 120_000);
