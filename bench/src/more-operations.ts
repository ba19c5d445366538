import { writeFileSync } from 'node:fs';
import type { Workspace } from '@petstore/server/test/support/workspace';

const errors = (...others: string[]) =>
  [
    '"400": BadRequest',
    '"401": Unauthorized',
    ...others,
    '"429": TooManyRequests',
    '"500": InternalError',
    '"503": ServiceUnavailable',
  ]
    .map((line) => line.replace(/: (.*)/, ': { $ref: "#/components/responses/$1" }'))
    .map((line) => `        ${line}\n`)
    .join('');

const content = (schema: string, example = '{ name: a }') =>
  `content: { application/json: { schema: ${schema}, example: ${example} } }`;

/** One resource, as a contract has dozens of them: five operations and a schema of its own. */
function pathsOf(name: string): string {
  const thing = `{ $ref: "#/components/schemas/${name}" }`;
  const operation = (method: string, verb: string, input: string, success: string, ...others: string[]) =>
    `    ${method}:\n      operationId: ${verb}${name}\n      summary: ${verb} ${name}\n      description: Made for a measurement.\n` +
    `${input}      responses:\n        ${success}\n${errors(...others)}`;
  const reply = (status: number, body = '') =>
    `"${status}": { description: Done., headers: *headers${body && `, ${body}`} }`;
  const body = `      requestBody: { required: true, ${content(thing)} }\n`;
  const id = '- { name: id, in: path, required: true, schema: { type: integer, format: int64 } }';
  const query =
    '- { name: status, in: query, schema: { type: string, enum: [open, closed] } }\n' +
    '        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 100, default: 20 } }';
  const parameters = (list: string) => `      parameters:\n        ${list}\n`;
  return (
    `  /${name.toLowerCase()}:\n` +
    operation(
      'get',
      'list',
      parameters(query),
      reply(200, content(`{ type: array, items: ${thing} }`, '[{ name: a }]')),
    ) +
    operation('post', 'create', body, reply(201, content(thing)), '"415": UnsupportedMediaType') +
    `  /${name.toLowerCase()}/{id}:\n` +
    operation('get', 'get', parameters(id), reply(200, content(thing))) +
    operation(
      'put',
      'replace',
      parameters(id) + body,
      reply(200, content(thing)),
      '"415": UnsupportedMediaType',
    ) +
    operation('delete', 'remove', parameters(id), reply(204))
  );
}

const schemaOf = (name: string) => `    ${name}:
      type: object
      required: [name]
      properties:
        id: { type: integer, format: int64 }
        name: { type: string, maxLength: 100 }
        status: { type: string, enum: [open, closed] }
        count: { type: integer, minimum: 0 }
        at: { type: string, format: date-time }
        labels: { type: array, items: { type: string } }
`;

const UNSUPPORTED = `    UnsupportedMediaType:
      description: The operation does not accept a body of this media type.
      x-error-codes: [unsupported_media_type]
      headers: *headers
      content:
        application/json:
          schema: { $ref: "#/components/schemas/Error" }
          example: { code: unsupported_media_type, message: "Send application/json.", status: 415 }
`;

const handlersOf = (name: string) => `
    list${name}: () => ({ status: 200, body: [{ name: 'a' }] }),
    create${name}: ({ body }) => ({ status: 201, body }),
    get${name}: () => ({ status: 200, body: { name: 'a' } }),
    replace${name}: ({ body }) => ({ status: 200, body }),
    remove${name}: () => ({ status: 204 }),`;

const callsOf = (name: string) => `
await petstore.list${name}({ status: 'open', limit: 5 });
await petstore.create${name}({ name: 'a', count: 1 });
(await petstore.get${name}({ id: 1n })).name.length;
await petstore.replace${name}({ id: 1n, body: { name: 'a' } });
await petstore.remove${name}({ id: 1n });`;

/** Gives the contract of a copied workspace `resources` × 5 operations, each with a handler and a call. */
export function addOperations(workspace: Workspace, resources: number): void {
  const names = Array.from({ length: resources }, (_, index) => `Thing${index + 1}`);
  const each = (part: (name: string) => string) => names.map(part).join('');
  if (resources > 0) {
    // Before the contract's own: who looks for a path in order meets the added ones first.
    workspace.edit('openapi.yaml', (text) =>
      text
        .replace(/^paths:\n/m, `paths:\n${each(pathsOf)}`)
        .replace(/^ {2}schemas:\n/m, `${UNSUPPORTED}\n  schemas:\n${each(schemaOf)}`),
    );
    workspace.edit('apps/server/src/handlers.ts', (text) =>
      text.replace(/return \{ /, `return {${each(handlersOf)}\n    `),
    );
  }
  const head =
    "import { createPetstore } from '@petstore/client';\n\nconst petstore = createPetstore({ apiKey: 'x' });\nawait petstore.cancelOrder({ orderId: 1 });";
  writeFileSync(workspace.file('scripts/calls.ts'), `${head}${each(callsOf)}\n`);
}
