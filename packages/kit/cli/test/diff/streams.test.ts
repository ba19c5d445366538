import { edit } from '../support/edit.ts';
import { compare, SHOP } from '../support/shop.ts';

/* What the gate says of streams. */

const LOAN = "content: { application/json: { schema: { $ref: '#/components/schemas/Loan' } } }";
const DATA = "contentMediaType: application/json, contentSchema: { $ref: '#/components/schemas/Loan' }";
const event = (fields: string) => `{ type: object, properties: { ${fields} } }`;
const of = (content: string) => edit(SHOP, LOAN, `content: { ${content} }`);
const events = (itemSchema: string) => of(`text/event-stream: { itemSchema: ${itemSchema} }`);

const old = of("text/event-stream: { schema: { $ref: '#/components/schemas/Loan' } }");
const named = events(`{ oneOf: [${event(`event: { const: made }, data: { type: string, ${DATA} }`)}] }`);

test.each([
  ['the same in the form of OpenAPI 3.2', old, events(event(`data: { type: string, ${DATA} }`))],
  ['the same as a schema of the data alone', old, events("{ $ref: '#/components/schemas/Loan' }")],
  [
    'JSON that becomes text',
    old,
    events(event('data: { type: string }')),
    'major: GET /loans, response 200: has data in another form',
    'major: GET /loans, response 200[].data: type changes from "object" to "string"',
  ],
  [
    'another name of an event',
    named,
    named.replace('const: made', 'const: added'),
    'major: GET /loans, response 200[].event: gets the value added and loses the value made',
  ],
  [
    'lines that become a whole',
    of('application/jsonl: { itemSchema: { type: integer } }'),
    of('application/jsonl: { schema: { type: string } }'),
    'major: GET /loans, response 200: is no longer a stream',
  ],
  [
    'other items of lines',
    of('application/jsonl: { itemSchema: { type: integer } }'),
    of('application/jsonl: { itemSchema: { type: number } }'),
    'major: GET /loans, response 200[]: type changes from ["integer"] to ["number"]',
  ],
])('%s', (_what, before, after, ...reported) => {
  expect(compare(before, after)).toEqual(reported.map((start) => expect.stringContaining(start) as string));
});
