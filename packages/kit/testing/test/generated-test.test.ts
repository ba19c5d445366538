import type { RequestHandler } from 'express';
import { contractAjv } from '@contract-kit/core/json';
import { contractOf, parseContract } from '@contract-kit/core/openapi';
import { defineService, errorResponse, type Database, type Services } from '@contract-kit/server';
import type { AnyHandler } from '@contract-kit/server/internals';
import { createFuzzer } from '../src/fuzz/index.ts';
import { describeService } from '../src/index.ts';
import { createTestTools } from './support.ts';

/* The generated test of a service, on handlers that are right. */

/** The formats of texts that are validated. */
const FORMATS = Object.keys(contractAjv().formats).filter((name) => !/^(int|float|double)/.test(name));

const json = '{ content: { application/json: { schema: { type: object } } }, description: A. }';
const contract = contractOf(
  parseContract(`openapi: 3.1.0
info: { title: Invoices, version: '1' }
paths:
  /invoices:
    get:
      operationId: listInvoices
      parameters: [{ name: cursor, in: query, schema: { type: string } }]
      responses: { '200': ${json}, '400': ${json} }
    post:
      operationId: createInvoice
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [total], properties: { total: { type: integer } } } } } }
      responses: { '201': ${json}, '422': ${json} }
  /refunds:
    post:
      operationId: createRefund
      parameters: [{ name: Idempotency-Key, in: header, schema: { type: string, maxLength: 64 } }]
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [total], properties: { total: { type: integer } } } } } }
      responses: { '201': ${json}, default: ${json} }
  /invoices/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getInvoice, responses: { '200': ${json}, default: ${json} } }
    put: { operationId: payInvoice, responses: { '204': { description: Paid. }, '422': ${json}, '503': ${json} } }
  /labels:
    post:
      operationId: createLabels
      requestBody: { required: true, content: { application/json: { schema: { type: object, minProperties: 1, propertyNames: { pattern: '^[a-z]{3}$' } }, example: { new: true } } } }
      responses: { '201': ${json} }
  /deliveries:
    post:
      operationId: createDelivery
      parameters: [{ name: after, in: query, required: true, schema: { $ref: '#/components/schemas/Count' } }]
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Delivery' } } } }
      responses: { '201': ${json} }
  /stamps:
    post:
      operationId: createStamp
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Stamp' } } } }
      responses: { '201': ${json} }
components:
  schemas:
    Stamp: { type: object, required: [${FORMATS.join()}], properties: { ${FORMATS.map((name) => `${name}: { type: string, format: ${name} }`).join()} } }
    Delivery:
      allOf: [{ type: object, properties: { texts: { type: array, maxItems: 4000, items: { type: string, minLength: 100 } } } }]
      type: object
      required: [lines, method, count, tag, marks, weights]
      properties: { count: { $ref: '#/components/schemas/Count' }, lines: { $ref: '#/components/schemas/Lines' }, method: { $ref: '#/components/schemas/Method' }, note: { type: [string, 'null'], maxLength: 200000 }, marks: { allOf: [{ type: array, minItems: 10, items: { type: integer } }, { maxItems: 4000 }] }, tag: { type: string, format: uuid, maxLength: 36 }, weights: { $ref: '#/components/schemas/Weights' } }
    Weights: { type: object, additionalProperties: { type: number }, example: { net: 1.5 } }
    Lines: { type: array, minItems: 1, maxItems: 4000, items: { $ref: '#/components/schemas/Line' } }
    Line: { type: object, required: [product], properties: { product: { $ref: '#/components/schemas/Id' } } }
    Id: { type: string, format: uuid }
    Count: { type: integer, format: int64, minimum: 0, maximum: 9223372036854775807 }
    Method: { oneOf: [{ $ref: '#/components/schemas/Card' }, { $ref: '#/components/schemas/Transfer' }] }
    Card: { type: object, required: [digits], properties: { digits: { type: string, pattern: '^[0-9]{4}$' } } }
    Transfer: { type: object, required: [iban], properties: { iban: { type: string } } }
`),
  { name: 'invoices', keyPrefix: 'inv_', databaseFile: 'store.db' },
);
const respond = (status: number, headers = {}): AnyHandler => {
  return () => ({ status, headers, body: { message: 'The handler has chosen this.' } });
};
const handlers: Record<string, AnyHandler> = {
  listInvoices: respond(400),
  createInvoice: respond(422),
  getInvoice: respond(418),
  payInvoice: respond(503, { 'Retry-After': 1 }),
  createRefund: respond(201),
  createDelivery: respond(201),
  createLabels: respond(201),
  createStamp: respond(201),
};
const service = defineService(
  contract,
  { invoices: { open: () => ({}), handlers: () => handlers } },
  { version: '1.0.0', description: 'Invoices.' },
);

describe('a handler may choose any status that the contract declares', () => {
  describeService(service);
});

describe('a test may replace middleware that rejects its requests', () => {
  const refuse: RequestHandler = (_req, res) => void res.sendStatus(403);
  describeService({ ...service, middleware: [refuse] }, { middleware: [] });
});

describe('a handler may pass any text to the database, which stores no U+0000', () => {
  const notes = contractOf(
    parseContract(`openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /notes/{name}:
    parameters: [{ name: name, in: path, required: true, schema: { type: string } }]
    get: { operationId: getNote, responses: { '204': { description: There. } } }
    put:
      operationId: putNote
      requestBody: { required: true, content: { application/json: { schema: { type: string } } } }
      responses: { '204': { description: Kept. } }
`),
    { name: 'notes', keyPrefix: 'note_', databaseFile: 'store.db' },
  );
  const keep =
    ({ query }: Database): AnyHandler =>
    async ({ path, body = '' }) => {
      await query('SELECT $1, $2', [String(path['name']), String(body)]);
      return { status: 204 };
    };
  const handlersOf = ({ store }: Services<AnyHandler>): Record<string, AnyHandler> => {
    return { getNote: store, putNote: store };
  };
  describeService(
    defineService(
      notes,
      { notes: { open: keep, handlers: handlersOf } },
      { version: '1.0.0', description: 'Notes.' },
    ),
  );
});

const fuzzer = createFuzzer(contract);

/** What the generated test of an operation reports, on the service with other handlers. */
async function reportOn(id: string, replaced: Record<string, AnyHandler> = {}): Promise<string> {
  const [operation] = fuzzer.operations.filter((operation) => operation.id === id);
  if (!operation) throw new Error(`no operation ${id}`);
  // Nobody says which statuses are the handler's.
  const target = await fuzzer.targetOf(
    await createTestTools(service).startTestService({ handlers: replaced }),
  );
  return fuzzer.fuzz(operation, target, { seed: 1, numRuns: 50 }).then(() => 'nothing', String);
}

test('a rejection of a valid request is still a failure, also with a declared status', async () => {
  expect(await reportOn('listInvoices')).toContain('a valid request gets 400');
});

test('a rejection with a status that `default` declares is reported with its code', async () => {
  const createRefund: AnyHandler = () => errorResponse(422, 'refund_refused', 'No.');
  expect(await reportOn('createRefund', { createRefund })).toContain(
    'a valid request gets 422 refund_refused\n  expected: a status that the handler returned',
  );
});

test('a failure is reported even if simpler requests repeat its idempotency key', async () => {
  const createRefund: AnyHandler = ({ body }) => {
    if ((body as { total: number }).total > 20) throw new Error('too much');
    return { status: 201, body: {} };
  };
  expect(await reportOn('createRefund', { createRefund })).toContain('the server failed: 500');
});

test('a test that has no database to run on fails, and does not run on SQLite', async () => {
  const postgres = {} as { url: string };
  await expect(
    createTestTools(service).startTestService({ env: { DATABASE_URL: postgres.url } }),
  ).rejects.toThrow('DATABASE_URL is undefined');
});
