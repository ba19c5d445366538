import { clientOf, collect, cut, rejection, serve, sse, type Event } from './support/streams.ts';

/* Server-sent events as WHATWG HTML §9.2.6 reads them, in pieces of every size. */

const note = (data: string, rest: object = {}): Event => ({ data, event: 'note', ...rest });

/** The events of a text in one piece, in pieces of each small size, and in two pieces cut anywhere. */
async function eventsOf(text: string): Promise<Event[]> {
  const bytes = Buffer.from(text);
  const read = (pieces: readonly Uint8Array[]) => collect(clientOf(pieces, sse).follow());
  const whole = await read([bytes]);
  for (const size of [1, 2, 3]) {
    const count = Math.ceil(bytes.length / size);
    const pieces = Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
    expect(await read(pieces)).toEqual(whole);
  }
  for (let at = 0; at <= bytes.length; at++)
    expect(await read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole);
  return whole;
}

test.each<[string, string, Event[]]>([
  ['one event', 'event: note\ndata: a\n\n', [note('a')]],
  ['JSON in data', 'data: {"a":[1,"€"]}\n\n', [{ data: { a: [1, '€'] } }]],
  ['JSON on several lines', 'data: {\ndata: "a": 1\ndata: }\n\n', [{ data: { a: 1 } }]],
  ['lines that end in CR, LF or both', 'event:note\rdata:a\r\ndata:b\ndata:c\r\r', [note('a\nb\nc')]],
  [
    'two events, of CR LF alone',
    'event:note\r\ndata:a\r\n\r\nevent:note\r\ndata:b\r\n\r\n',
    [note('a'), note('b')],
  ],
  ['text on several lines, empty ones too', 'event: note\ndata\ndata: \ndata:a\n\n', [note('\n\na')]],
  ['only the first space of a value', 'event: note\ndata:  a \n\n', [note(' a ')]],
  ['colons in a value', 'event: note\ndata: a: b::\n\n', [note('a: b::')]],
  ['data without a value', 'event: note\ndata\n\nevent: note\ndata:\n\n', [note(''), note('')]],
  ['no event without data', 'event: note\n\nid: 1\n\ndata: 2\n\n', [{ data: 2 }]],
  ['comments', ': hi\n:\n\n:\nevent: note\n:data: b\ndata: a\n\n', [note('a')]],
  [
    'unknown fields, and names in another case',
    'Data: a\nfoo: b\n data: c\nevent: note\ndata: d\n\n',
    [note('d')],
  ],
  ['a byte order mark, once', '\ufeffdata: 1\n\n\ufeffdata: 2\n\ndata: 3\n\n', [{ data: 1 }, { data: 3 }]],
  ['an id and a retry', 'id: é 1\nretry: 0500\ndata: 1\n\n', [{ data: 1, id: 'é 1', retry: 500 }]],
  ['an empty id', 'id: 1\nid\ndata: 1\n\n', [{ data: 1, id: '' }]],
  ['no id with U+0000', 'id: a\nid: b\0\ndata: 1\n\n', [{ data: 1, id: 'a' }]],
  ['no retry but digits', 'retry: 1.5\nretry: -1\nretry:\nretry: ١\nretry: 5 \ndata: 1\n\n', [{ data: 1 }]],
  ['no retry that is inexact', 'retry: 99999999999999999999\ndata: 1\n\n', [{ data: 1 }]],
  ['the last of an event’s names', 'event: a\nevent: note\ndata: b\n\n', [note('b')]],
  ['no name that is empty', 'event:\ndata: 1\n\n', [{ data: 1 }]],
  ['no event that the end cuts', 'data: 1\n\ndata: 2\n', [{ data: 1 }]],
  ['no event that the end cuts in a line', 'data: 1\n\ndata: 2', [{ data: 1 }]],
  ['an event before a last line end that may go on', 'data: 1\r\n\r', [{ data: 1 }]],
  ['nothing', '', []],
])('reads %s', async (_name, text, events) => {
  expect(await eventsOf(text)).toEqual(events);
});

test('bytes that are not UTF-8 are replaced', async () => {
  const bytes = Buffer.concat([
    Buffer.from('event: note\ndata: '),
    Buffer.from([0xff, 0xe2, 0x82]),
    Buffer.from('\n\n'),
  ]);
  expect(await collect(clientOf([bytes], sse).follow())).toEqual([note('\ufffd\ufffd')]);
});

test('yields an event at the end of its empty line, which may be a CR', async () => {
  const { client } = await serve((response) => response.writeHead(200, sse).write('data: 1\r\r'));
  const events = await client().watch();
  expect((await events.next()).value).toEqual({ data: 1 });
  await events.return();
});

test.each([
  [
    'data that is not JSON',
    'data: {"a"\n\n',
    'UnexpectedReplyError',
    'follow: item 2 of the stream is not JSON',
  ],
  ['an inexact integer', 'data: [9007199254740993]\n\n', 'InexactIntegerError', 'an integer beyond 2^53'],
  [
    'an endless line',
    'data: ' + 'a'.repeat(2 ** 24),
    'UnexpectedReplyError',
    'item 2 of the stream has more than 16777216',
  ],
  [
    'an endless event',
    `data: ${'a'.repeat(1000)}\n`.repeat(17_000),
    'UnexpectedReplyError',
    'item 2 of the stream has more than',
  ],
  [
    'an endless comment',
    ':' + 'a'.repeat(2 ** 24),
    'UnexpectedReplyError',
    'item 2 of the stream has more than',
  ],
])('throws an error for %s, after the events before it', async (_name, text, name, message) => {
  const { client } = await serve((response) =>
    response.writeHead(200, sse).write(`id: 1\ndata: 1\n\n${text}`),
  );
  const events = await client().follow();
  expect((await events.next()).value).toEqual({ data: 1, id: '1' });
  const error = (await rejection(events.next())) as Error;
  expect(error).toMatchObject({ name, status: 200 });
  expect(error.message).toContain(message);
  expect(await events.next()).toEqual({ done: true, value: undefined });
});

test('many comments in a row are no long event', async () => {
  const comments = `:${'a'.repeat(1000)}\n`.repeat(1000);
  const { client } = await serve((response) => {
    response.writeHead(200, sse);
    for (let count = 0; count < 20; count++) response.write(comments);
    response.end('data: 1\n\n');
  });
  expect(await collect(client().follow())).toEqual([{ data: 1 }]);
});

test('a stream that breaks off in an event yields nothing of it', async () => {
  const { client } = await serve((response) => cut(response.writeHead(200, sse), 'data: 1\n\ndata: 2\n'));
  const events = await client().follow();
  expect((await events.next()).value).toEqual({ data: 1 });
  const error = (await rejection(events.next())) as Error;
  expect(error.name).toBe('ConnectionError');
  expect(error.message).toMatch(/^follow: the response broke off: ./);
});
