import { readFileSync } from 'node:fs';
import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi';
import type { Env } from 'hono';

/** The operations that `src/more-operations.ts` has added to `contract`, if any, written in Zod. */
export function addThings<Variables extends Env>(app: OpenAPIHono<Variables>, contract: string): void {
  const count = readFileSync(contract, 'utf8').match(/operationId: createThing/g)?.length ?? 0;
  for (let number = 1; number <= count; number += 1) {
    const Thing = z
      .object({
        id: z.int().optional(),
        name: z.string().max(100),
        status: z.enum(['open', 'closed']).optional(),
        count: z.int().min(0).optional(),
        at: z.iso.datetime().optional(),
        labels: z.array(z.string()).optional(),
      })
      .openapi(`Thing${number}`);
    const path = `/v1/thing${number}`;
    const one = `${path}/{id}`;
    const body = { content: { 'application/json': { schema: Thing } }, required: true };
    const done = { content: { 'application/json': { schema: Thing } }, description: 'Done.' };
    const listed = { content: { 'application/json': { schema: z.array(Thing) } }, description: 'Done.' };
    const params = z.object({ id: z.coerce.number().int() });
    const query = z.strictObject({
      status: z.enum(['open', 'closed']).optional(),
      limit: z.coerce.number().int().min(1).max(100).default(20),
    });
    const none = z.strictObject({});
    app.openapi(createRoute({ method: 'get', path, request: { query }, responses: { 200: listed } }), (c) =>
      c.json([{ name: 'a' }], 200),
    );
    app.openapi(
      createRoute({ method: 'post', path, request: { body, query: none }, responses: { 201: done } }),
      (c) => c.json(c.req.valid('json'), 201),
    );
    app.openapi(
      createRoute({ method: 'get', path: one, request: { params, query: none }, responses: { 200: done } }),
      (c) => c.json({ name: 'a' }, 200),
    );
    app.openapi(
      createRoute({
        method: 'put',
        path: one,
        request: { params, body, query: none },
        responses: { 200: done },
      }),
      (c) => c.json(c.req.valid('json'), 200),
    );
    app.openapi(
      createRoute({
        method: 'delete',
        path: one,
        request: { params, query: none },
        responses: { 204: { description: 'Done.' } },
      }),
      (c) => c.body(null, 204),
    );
  }
}
