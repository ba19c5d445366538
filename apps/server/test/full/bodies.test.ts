import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { copyWorkspace } from '../support/workspace.ts';

/* Bodies of requests and replies from the contract to both sides, on a copy of the workspace whose contract has them. */

const execute = promisify(execFile);
const TSX = ['node_modules/tsx/dist/cli.mjs', '--conditions=@petstore/source'];
let workspace: string;
let server: ChildProcess | undefined;

const HEADERS = `
          headers: &own
            X-RateLimit-Limit: { $ref: "#/components/headers/X-RateLimit-Limit" }
            X-RateLimit-Remaining: { $ref: "#/components/headers/X-RateLimit-Remaining" }
            X-RateLimit-Reset: { $ref: "#/components/headers/X-RateLimit-Reset" }
            X-Request-Id: { $ref: "#/components/headers/X-Request-Id" }`.replace('&own', '');

const REFUSALS = `
        "400": { $ref: "#/components/responses/BadRequest" }
        "401": { $ref: "#/components/responses/Unauthorized" }
        "415":
          description: The body is of another type.
          x-error-codes: [unsupported_media_type]${HEADERS}
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Error" }
              example: { code: unsupported_media_type, message: No., status: 415 }
        "429": { $ref: "#/components/responses/TooManyRequests" }
        "500": { $ref: "#/components/responses/InternalError" }
        "503": { $ref: "#/components/responses/ServiceUnavailable" }
`;

interface Trial {
  readonly schema: string;
  readonly example: string;
  readonly required?: boolean;
  readonly method?: string;
}

/** Operations that answer with the body they were sent, by name. */
const ECHOES: Readonly<Record<string, Trial>> = {
  // The name of a field is that of a parameter.
  echoToy: {
    schema: '{ $ref: "#/components/schemas/Toy" }',
    example: '{ id: 7, name: Ball }',
    method: 'put',
  },
  echoDraft: {
    schema:
      '{ type: object, required: [title], properties: { title: { type: string }, size: { type: integer, default: 3 }, big: { type: integer, format: int64 } } }',
    example: '{ title: a }',
  },
  echoList: { schema: '{ type: array, items: { type: integer } }', example: '[1]', method: 'patch' },
  echoText: { schema: '{ type: [string, "null"] }', example: 'a', required: false },
  echoMap: { schema: '{ type: object, additionalProperties: { type: boolean } }', example: '{ a: true }' },
  echoTree: { schema: '{ $ref: "#/components/schemas/Tree" }', example: '{ name: a }' },
  echoShape: { schema: '{ $ref: "#/components/schemas/Shape" }', example: '{ kind: round, radius: 1 }' },
  echoBoth: {
    schema:
      '{ allOf: [{ $ref: "#/components/schemas/Toy" }, { type: object, required: [price], properties: { price: { type: number } } }] }',
    example: '{ id: 7, name: Ball, price: 1 }',
  },
};

const SCHEMAS = `    Toy:
      type: object
      required: [id, name, color]
      properties:
        id: { type: integer, format: int64, readOnly: true }
        name: { type: string, minLength: 1 }
        color: { type: string, enum: [red, blue], default: red }
        secret: { type: string, writeOnly: true }
        parts: { type: array, items: { $ref: "#/components/schemas/Toy" } }
    Tree:
      type: object
      required: [name]
      properties:
        name: { type: string }
        children: { type: array, items: { $ref: "#/components/schemas/Tree" } }
    Shape:
      oneOf:
        - $ref: "#/components/schemas/Round"
        - $ref: "#/components/schemas/Square"
      discriminator:
        propertyName: kind
        mapping: { round: "#/components/schemas/Round", square: "#/components/schemas/Square" }
    Round: { type: object, required: [kind, radius], properties: { kind: { type: string, const: round }, radius: { type: number } } }
    Square: { type: object, required: [kind, side], properties: { kind: { type: string, const: square }, side: { type: number } } }
`;

const echo = ([id, { schema, example, required = true, method = 'post' }]: [string, Trial]) => `
  /trial/${id}${id === 'echoToy' ? '/{name}' : ''}:
    ${method}:
      operationId: ${id}
      tags: [orders]
      summary: Echo${
        id === 'echoToy'
          ? `
      parameters:
        - { name: name, in: path, required: true, description: A name., schema: { type: string }, example: a }`
          : ''
      }
      requestBody:
        required: ${required}
        content:
          application/json: { schema: ${schema}, example: ${example} }
      responses:
        "200":
          description: The same.${HEADERS}
          content:
            application/json: { schema: ${schema}, example: ${example} }${
              required
                ? ''
                : `
        "204":
          description: Nothing was sent.${HEADERS}`
            }${REFUSALS}`;

const REPLIES = `
  /trial/reply:
    get:
      operationId: getReply
      tags: [orders]
      summary: Get a reply
      parameters:
        - { name: status, in: query, required: true, description: Which., schema: { type: integer }, example: 200 }
      responses:
        "200":
          description: A table.${HEADERS}
            Link: { schema: { type: string }, description: More., example: "</next>; rel=next" }
            X-Ratio: { schema: { type: number }, description: Of all., example: 0.5 }
            X-Fresh: { schema: { type: boolean }, description: Just made., example: true }
          content:
            text/csv: { schema: { type: string }, example: "a,b" }
        "201":
          description: A picture.${HEADERS}
          content:
            image/png: { schema: { type: string, format: binary } }
        "202":
          description: A word.${HEADERS}
          content:
            application/json: { schema: { type: string }, example: later }
        "303":
          description: Elsewhere.${HEADERS}
            Location: { schema: { type: string }, required: true, description: Where., example: /v1 }
        "304":
          description: As it was.${HEADERS}${REFUSALS}`;

const HANDLERS = `import type { HandlersUnder } from '../pipeline/handler.ts';

export const received: unknown[] = [];
export const trialHandlers: HandlersUnder<'/trial'> = {
  echoToy: ({ path, body }) => {
    const color: 'red' | 'blue' = body.color;
    // @ts-expect-error a readOnly field is not received
    const id: number = body.id;
    if (id !== undefined) throw new Error('id');
    const { secret, ...toy } = body;
    return { status: 200, body: { ...toy, parts: [], color, id: path.name.length + (secret?.length ?? 0) } };
  },
  echoDraft: ({ body }) => {
    const size: number = body.size;
    return { status: 200, body: { ...body, size } };
  },
  echoList: ({ body }) => ({ status: 200, body }),
  echoText: ({ body }) => (body === undefined ? { status: 204 } : { status: 200, body }),
  echoMap: ({ body }) => ({ status: 200, body }),
  echoTree: ({ body }) => ({ status: 200, body }),
  echoShape: ({ body }) => ({ status: 200, body }),
  echoBoth: ({ body: { name, color, price } }) => ({ status: 200, body: { id: 7, name, color, price } }),
  getReply: ({ query: { status } }) => {
    if (status === 200)
      return { status, headers: { Link: '</next>; rel=next', 'X-Ratio': 0.5, 'X-Fresh': true }, body: 'ä,b' };
    if (status === 201) return { status, body: new Uint8Array([137, 80, 0, 255]) };
    if (status === 202) return { status, body: 'later' };
    if (status === 303) return { status, headers: { Location: '/v1/elsewhere' } };
    return { status: 304 };
  },
};
`;

const program = (origin: string, key: string) => `
import { createPetstore, InputError } from './packages/client/src/index.ts';
const petstore = createPetstore({ apiKey: '${key}', baseUrl: '${origin}/v1' });
const bytes: Uint8Array | string | undefined = await petstore.getReply({ status: 201 });
const elsewhere = await petstore.getReply({ status: 303 }).reply();
if (!elsewhere.declared || elsewhere.status !== 303) throw new Error('303');
const csv = await petstore.getReply({ status: 200 }).reply();
const refused = (call: Promise<unknown>) => call.then(() => 'sent', (error) => error instanceof InputError ? 'refused' : error.status);
const toy = { name: 'Ball', color: 'blue', secret: 'x' } as const;
// @ts-expect-error a readOnly field is not sent
const readOnly = refused(petstore.echoToy({ name: 'abc', body: { ...toy, id: 1 } }));
// @ts-expect-error the body is required
const missing = refused(petstore.echoList());
// @ts-expect-error a branch of a oneOf
const mixed = refused(petstore.echoShape({ body: { kind: 'round', side: 1 } }));
const answered = await petstore.echoToy({ name: 'abc', body: toy });
const secret: undefined = answered.secret;
const id: number = answered.id;
console.log(JSON.stringify({
  toy: answered, secret, id,
  draft: await petstore.echoDraft({ title: 'a', big: 9007199254740991 }),
  list: await petstore.echoList({ body: [1, 2] }),
  text: [await petstore.echoText({ body: 'a' }), await petstore.echoText({ body: null }), await petstore.echoText()],
  map: await petstore.echoMap({ body: { a: true, body: false } }),
  tree: await petstore.echoTree({ name: 'a', children: [{ name: 'b', children: [{ name: 'c' }] }] }),
  shapes: [
    await petstore.echoShape({ body: { kind: 'round', radius: 1 } }),
    await petstore.echoShape({ body: { kind: 'square', side: 2 } }),
  ],
  both: await petstore.echoBoth({ body: { name: 'Ball', price: 0.5 } }),
  refused: [
    await readOnly, await missing, await mixed,
    await refused(petstore.echoDraft({ title: 'a', big: 2 ** 53 })),
    await refused(petstore.echoDraft({ title: 'a', big: 1n as never })),
    await refused(petstore.echoDraft({ title: 1 as never })),
    await refused(petstore.echoToy({ name: 'a', body: { name: 'a', parts: [{ name: '' }] } })),
  ],
  csv: csv.body, link: csv.declared && csv.status === 200 && csv.headers,
  bytes: [...bytes as Uint8Array], later: await petstore.getReply({ status: 202 }),
  nothing: (await petstore.getReply({ status: 304 })) ?? 'nothing',
  location: elsewhere.headers.Location,
}));
`;

afterAll(() => {
  server?.kill('SIGKILL');
  rmSync(workspace, { recursive: true, force: true });
});

async function run(...args: string[]): Promise<string> {
  try {
    return (await execute(process.execPath, args, { cwd: workspace })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

function edit(file: string, change: (text: string) => string): void {
  const full = path.join(workspace, file);
  writeFileSync(full, change(readFileSync(full, 'utf8')));
}

async function serve(): Promise<{ origin: string; key: string }> {
  const child = spawn(
    process.execPath,
    [
      '--import',
      'tsx',
      '--conditions=@petstore/source',
      'apps/server/src/cli/main.ts',
      'serve',
      '--demo',
      '--port',
      '0',
    ],
    {
      cwd: workspace,
      env: { ...process.env, NODE_ENV: 'production', DATA_DIR: path.join(workspace, '.data') },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  server = child;
  let key = '';
  for await (const line of createInterface({ input: child.stdout })) {
    key ||= /Bearer (pst_\w+)/.exec(line)?.[1] ?? '';
    if (line.includes('"listening"')) return { key, origin: (JSON.parse(line) as { origin: string }).origin };
  }
  throw new Error('the server ended');
}

test('bodies reach the handler and the caller as the contract says', async () => {
  workspace = copyWorkspace();
  edit('openapi.yaml', (text) =>
    text
      .replace(/^paths:\n/m, (line) => line + Object.entries(ECHOES).map(echo).join('') + REPLIES)
      .replace(/^ {2}schemas:\n/m, (line) => line + SCHEMAS),
  );
  await run(...TSX, 'packages/contract-tools/src/generate/main.ts');
  writeFileSync(path.join(workspace, 'apps/server/src/orders/trial-handlers.ts'), HANDLERS);
  edit(
    'apps/server/src/handlers.ts',
    (text) =>
      `import { trialHandlers } from './orders/trial-handlers.ts';\n${text.replace('return {', 'return { ...trialHandlers,')}`,
  );
  writeFileSync(path.join(workspace, 'call.ts'), program('http://127.0.0.1', 'key'));
  edit('tsconfig.json', (text) => text.replace(/"include": \[/, '"include": ["call.ts", '));
  await run('node_modules/typescript/bin/tsc', '-p', '.', '--noEmit');

  const { origin, key } = await serve();
  writeFileSync(path.join(workspace, 'call.ts'), program(origin, key));
  expect(JSON.parse(await run(...TSX, 'call.ts'))).toEqual({
    toy: { id: 4, name: 'Ball', color: 'blue', parts: [] },
    id: 4,
    draft: { title: 'a', size: 3, big: 9007199254740991 },
    list: [1, 2],
    text: ['a', null, null],
    map: { a: true, body: false },
    tree: { name: 'a', children: [{ name: 'b', children: [{ name: 'c' }] }] },
    shapes: [
      { kind: 'round', radius: 1 },
      { kind: 'square', side: 2 },
    ],
    both: { id: 7, name: 'Ball', color: 'red', price: 0.5 },
    refused: [400, 'refused', 400, 'refused', 'refused', 400, 400],
    csv: 'ä,b',
    link: expect.objectContaining({ Link: '</next>; rel=next', 'X-Ratio': 0.5, 'X-Fresh': true }) as object,
    bytes: [137, 80, 0, 255],
    later: 'later',
    nothing: 'nothing',
    location: '/v1/elsewhere',
  });

  const send = async (
    operation: string,
    body: string | undefined,
    headers: object = { 'content-type': 'application/json' },
  ) => {
    const response = await fetch(`${origin}/v1/trial/${operation}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(body !== undefined && { body: Buffer.from(body, 'latin1') }),
    });
    return [response.status, await response.text()];
  };
  expect(await send('echoDraft', '{"title":"a","big":9007199254740993}')).toEqual([
    400,
    expect.stringMatching(/big/),
  ]);
  expect(await send('echoDraft', '{"title":"a","size":1e30}')).toEqual([400, expect.stringMatching(/size/)]);
  expect(await send('echoDraft', '{"title":"\xff"}')).toEqual([400, expect.stringMatching(/JSON/)]);
  expect(await send('echoDraft', undefined, {})).toEqual([400, expect.stringMatching(/missing/)]);
  expect(await send('echoDraft', '{"title":"a"}', {})).toEqual([415, expect.stringMatching(/application/)]);
  expect(await send('echoDraft', '{"title":"a"}', { 'content-type': 'text/plain' })).toEqual([
    415,
    expect.anything(),
  ]);
  expect(await send('echoText', '', {})).toEqual([204, '']);
  expect(await send('echoText', '"é"', { 'content-type': 'Application/JSON; charset=utf-8' })).toEqual([
    400,
    expect.anything(),
  ]);
  expect(await send('echoText', JSON.stringify('a'.repeat(100_000)))).toEqual([
    400,
    expect.stringMatching(/100000 bytes/),
  ]);
  expect(await send('echoTree', '{"name":"","children":['.repeat(4_000))).toEqual([
    400,
    expect.stringMatching(/JSON/),
  ]);
}, 240_000);
