import { once } from 'node:events';
import type { AnyHandler } from '../../src/pipeline/dispatch.ts';
import { defineService, type Authenticate, type Feature, type HandlerContext } from '../../src/index.ts';
import { createTestTools } from '../support/tools.ts';
import { contractFrom } from '@contract-kit/test-support/contracts';
import { forever, then } from './streaming.ts';

/* A service whose responses last: streams, downloads, handlers that wait, and uploads. */

const stream = (description: string) =>
  `{ '200': { description: ${description}, content: { text/event-stream: { schema: { type: object } } } } }`;
const json = `{ '200': { description: Done., content: { application/json: { schema: { type: object } } } } }`;

export const contract = contractFrom(`openapi: 3.2.0
info: { title: Lasting, version: 1.0.0 }
servers: [{ url: /v1 }]
security: [{ key: [read] }]
x-rate-limit-plans:
  pro: { name: Pro, perMinute: 1000, perDay: 100000 }
  enterprise: { name: Enterprise, perMinute: custom, perDay: custom }
paths:
  /events:
    get:
      operationId: events
      parameters: [{ name: Last-Event-ID, in: header, schema: { type: string } }]
      responses: ${stream('Events.')}
  /other-events: { get: { operationId: otherEvents, responses: ${stream('Without an id.')} } }
  /posted-events: { post: { operationId: postedEvents, responses: ${stream('Of a POST.')} } }
  /open-events: { get: { operationId: openEvents, security: [{}, { key: [] }], responses: ${stream('Of anybody.')} } }
  /lines:
    get:
      operationId: lines
      responses: { '200': { description: Lines., content: { application/jsonl: { itemSchema: { type: object } } } } }
  /file:
    get:
      operationId: file
      responses: { '200': { description: Bytes., content: { application/octet-stream: {} } } }
  /wait:
    get: { operationId: wait, responses: ${json} }
    post: { operationId: work, responses: ${json} }
  /uploads:
    post:
      operationId: upload
      x-body-limit: 10000000
      requestBody: { required: true, content: { application/octet-stream: {} } }
      responses: ${json}
components: { securitySchemes: { key: { type: http, scheme: bearer } } }
`);

/** The handlers that have been called, by their operations. */
export const called: string[] = [];
/** Ends `work`. */
export const released = new EventTarget();

const event = (n: number) => ({ id: String(n), data: { n } });
const eventsOf = ({ signal }: HandlerContext) => ({
  status: 200,
  body: then([event(1), event(2)], () => forever(signal)),
});
async function* bytes(signal: AbortSignal) {
  yield new Uint8Array(10_000);
  await forever(signal);
}

const handlers: Readonly<Record<string, AnyHandler>> = {
  events: (_input, context) => eventsOf(context),
  otherEvents: (_input, context) => eventsOf(context),
  postedEvents: (_input, context) => eventsOf(context),
  openEvents: (_input, context) => eventsOf(context),
  lines: (_input, { signal }) => ({ status: 200, body: then([{ n: 1 }], () => forever(signal)) }),
  file: (_input, { signal }) => ({ status: 200, body: bytes(signal) }),
  wait: async (_input, { signal }) => ({ status: 200, body: { waited: await forever(signal) } }),
  async work() {
    await once(released, 'go');
    return { status: 200, body: { done: true } };
  },
  upload: () => ({ status: 200, body: {} }),
};

const noting = Object.entries(handlers).map(([id, handle]): [string, AnyHandler] => [
  id,
  (...given) => {
    called.push(id);
    return handle(...given);
  },
]);
const all: Feature<object, Record<string, AnyHandler>> = {
  open: () => ({}),
  handlers: () => Object.fromEntries(noting),
};

export const lasting = (authenticate?: Authenticate) =>
  createTestTools(
    defineService(
      contract,
      { all },
      { version: '1.0.0', description: 'Lasting.', ...(authenticate && { authenticate }) },
    ),
  );
