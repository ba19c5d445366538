import { recordCheck } from '../src/index.ts';
import { readRecords, type FileRecord } from '../src/command/records.ts';
import { contract } from './library/contract.ts';

/** Reads `text` in chunks of `size` characters. */
async function recordsIn(text: string, size = text.length || 1): Promise<FileRecord[]> {
  async function* chunks(): AsyncGenerator<string> {
    for (let start = 0; start < text.length; start += size) {
      yield await Promise.resolve(text.slice(start, start + size));
    }
  }
  const records: FileRecord[] = [];
  for await (const record of readRecords(chunks())) records.push(record);
  return records;
}

const NDJSON = '{"id":1}\n\n  {"id":2,"a":"x\\ny"}\r\n{"id":3}';

const line = (number: number, value: unknown) => ({ unit: 'line', number, value });
const item = (number: number, value: unknown) => ({ unit: 'item', number, value });

test.each([1, 7, 1000])('lines are records, read in chunks of %i characters', async (size) => {
  expect(await recordsIn(NDJSON, size)).toEqual([
    line(1, { id: 1 }),
    line(3, { id: 2, a: 'x\ny' }),
    line(4, { id: 3 }),
  ]);
});

test.each([1, 1000])('items of an array are records, read in chunks of %i characters', async (size) => {
  const array = '[\n  {"id":1, "tags":["],["]},\n\n  {"id":2}, 3]\n';
  expect(await recordsIn(array, size)).toEqual([
    item(1, { id: 1, tags: ['],['] }),
    item(2, { id: 2 }),
    item(3, 3),
  ]);
});

test.each([1, 1000])(
  'white space and a byte order mark do not change the records, read in chunks of %i',
  async (size) => {
    for (const text of ['', ' \n\n', '[ \n ]\n', '\ufeff']) expect(await recordsIn(text, size)).toEqual([]);
    expect(await recordsIn('\ufeff{"id":1}\r\n', size)).toEqual([line(1, { id: 1 })]);
    expect(await recordsIn('\n\n{"id":1}', size)).toEqual([line(3, { id: 1 })]);
    for (const text of ['\ufeff[{"id":1}]', '[{"id":1}]\r\n', '\n\n[{"id":1}]'])
      expect(await recordsIn(text, size)).toEqual([item(1, { id: 1 })]);
  },
);

test.each(['[{"id":1}', '[{"id":1}]\n{"id":2}'])('rejects all of the array %j', async (text) => {
  await expect(recordsIn(text)).rejects.toThrow('not valid JSON: ');
});

test('rejects an array of more than 64 MB, and suggests NDJSON', async () => {
  const items = Array.from({ length: 65 }, () => `"${'x'.repeat(MEGABYTE)}"`);
  await expect(recordsIn(`[${items.join(',')}]`, MEGABYTE)).rejects.toThrow(
    '64 MB: write one record per line (NDJSON)',
  );
});

const MEGABYTE = 1024 * 1024;

/** Numbers that JSON.parse changes, and numbers that it keeps. */
const ROUNDED = ['9007199254740993', '-9007199254740990.6', '0.99999999999999999999', '1e-400', '1e999'];
const NUMBERS = ['0', '-0', '1.0', '100e-2', '0.30000000000000004', '9007199254740992', '5e-324', '1e300'];

test('rejects a line of more than 1 MB without keeping it, and reads the other lines', async () => {
  const text = `{"id":1}\n"${'x'.repeat(3 * MEGABYTE)}"\n{"id":2}\n"${'x'.repeat(MEGABYTE - 2)}"`;
  const fault = 'a line may have at most 1 MB';
  expect(await recordsIn(text, 65_536)).toEqual([
    line(1, { id: 1 }),
    { unit: 'line', number: 2, fault },
    line(3, { id: 2 }),
    line(4, 'x'.repeat(MEGABYTE - 2)),
  ]);
  expect(await recordsIn(`"${'é'.repeat(MEGABYTE / 2)}"`)).toEqual([{ unit: 'line', number: 1, fault }]);
});

test.each([
  ...ROUNDED.map((number) => [`{"bookId":${number}}`, `the number ${number} would be rounded`]),
  ['{"1e999\\"":["1e999",{"a":9007199254740993}]}', 'the number 9007199254740993 would be rounded'],
  ['{"name":"\ufffd"}', 'has bytes that are not UTF-8, or U+FFFD, their replacement'],
])('rejects %s as a line, and all of an array with it', async (record = '', fault = '') => {
  expect(await recordsIn(`{"id":1}\n${record}\n{"id":2}`, 7)).toEqual([
    line(1, { id: 1 }),
    { unit: 'line', number: 2, fault },
    line(3, { id: 2 }),
  ]);
  await expect(recordsIn(`[{"id":1},\n${record},\n{"id":2}]`)).rejects.toThrow(fault);
});

test.each([
  ...NUMBERS,
  '{"a":{"b":1},"b":2}',
  '{"a":"\\":","b":"\\\\"}',
  '{"1e999\\"":["1e999\\\\",{"9007199254740993":12}]}',
])('%s is read exactly, or as the nearest JSON number', async (record) => {
  expect(await recordsIn(record)).toEqual([line(1, JSON.parse(record))]);
});

test.each([
  [null, 'must be object'],
  [{ id: 0 }, 'id must be >= 1'],
  [{ id: '1' }, 'id must be integer'],
  [{ id: 2 ** 53 }, 'id must be an integer of at most 2^53-1'],
  [{ bookId: null }, 'bookId must be integer'],
  [{ id: 'x', days: -1 }, /id must.*days must|days must.*id must/],
  [JSON.parse('{"__proto__": 1}') as unknown, 'unknown field "__proto__"'],
])('refuses %j, which breaks the schema: %s', (value, reason) => {
  expect(() => recordCheck(contract.document, 'Loan')(value)).toThrow(reason);
});

test('a schema that refers to others is checked whole', () => {
  const document = {
    openapi: '3.1.0',
    components: {
      schemas: {
        Base: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
        Size: { type: 'string', enum: ['small', 'large'] },
        Box: {
          allOf: [{ $ref: '#/components/schemas/Base' }],
          properties: {
            size: { $ref: '#/components/schemas/Size' },
            inner: { $ref: '#/components/schemas/Box' },
          },
        },
      },
    },
  };
  const check = recordCheck(document, 'Box');
  const box = { id: 1, size: 'large', inner: { id: 2 } };
  expect(check(box)).toEqual(box);
  expect(() => check({ id: 1, size: 'huge' })).toThrow('size must be');
  expect(() => check({ id: 1, inner: { size: 'small' } })).toThrow(/inner.*id/);
  expect(() => check({ id: 1, weight: 3 })).toThrow('unknown field "weight"');
});
