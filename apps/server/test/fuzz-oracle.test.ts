import { startTarget } from './fuzz/conformance.ts';
import { KEY } from './fuzz/requests.ts';
import { responsesIn } from './support/raw.ts';

test('what a reply says is read as it was sent, in UTF-8', async () => {
  const body = Buffer.from('{"name":"Zoë 🐶"}');
  const head = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`;
  const replies = responsesIn((head + body.toString('latin1')).repeat(2));
  expect(await Promise.all(replies.map((reply) => reply.json()))).toEqual([
    { name: 'Zoë 🐶' },
    { name: 'Zoë 🐶' },
  ]);
});

test('a reply that came compressed is held against the contract by what it says', async () => {
  const name = 'é'.repeat(3_000);
  const { ask } = await startTarget({ getPet: () => ({ status: 200, body: { name } }) });
  const headers = { Authorization: `Bearer ${KEY}`, 'Accept-Encoding': 'gzip' };
  const answer = await ask({ method: 'GET', target: '/v1/pets/1', headers: Object.entries(headers) });
  expect(answer).toMatchObject({ status: 200, headers: { 'content-encoding': 'gzip' } });
  expect(JSON.parse(answer.body)).toEqual({ name });
});
