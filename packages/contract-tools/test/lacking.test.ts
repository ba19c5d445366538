import { parseDocument } from 'yaml';
import { checkContract } from '../src/check/check-contract.ts';
import { parseContract } from '../src/contract.ts';
import type { Kind } from '../src/support/grammar.ts';
import { changed } from './support/contract.ts';
import { withExample } from './support/example.ts';

/* What a contract that comes from elsewhere lacks hides nothing else that is wrong with it. */

const messagesOf = (text: string) => checkContract(parseContract(text)).map(({ message }) => message);

test.each<[Kind, string, string]>([
  ['PathItem', 'post: { responses: {} }', 'an operation needs operationId'],
  ['PathItem', 'post: { operationId: another }', 'an operation needs responses'],
  ['Responses', "'200': {}", 'a response needs description'],
  ['RequestBody', 'content: { application/json: {} }', 'a media type needs schema'],
])('in %s, what else is wrong is said at once with that of %s', (on, example, lack) => {
  const whole = parseDocument(withExample(on, example));
  whole.set('webhooks', {});
  const messages = messagesOf(whole.toString());
  expect(messages).toContain(lack);
  expect(messages).toContainEqual(expect.stringContaining('not supported: `webhooks`'));
});

test('a header of the components is asked for its schema', () => {
  const text = changed([' schema: { type: integer } }\n    WWW', ' description: Seconds. }\n    WWW']);
  expect(messagesOf(text)).toEqual(['the header needs a schema']);
});
