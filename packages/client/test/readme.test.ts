import { exampleFolder, examplesIn, type ExampleFolder } from './examples.ts';

const examples = examplesIn('README.md');

let folder: ExampleFolder;
beforeAll(async () => {
  folder = await exampleFolder();
});
afterAll(() => folder.close());

test('every example compiles', () => {
  folder.compile(examples);
});

test.each([
  [0, '1 orders\n'],
  [1, '1\n'],
  [2, 'Too late: it has shipped.\n'],
  [3, 'It is order_already_shipped. 12 request-1\n'],
  [4, '2026-11-24T09:00:00.000Z\n'],
  [5, 'listOrders: 200, application/json, in time\n'],
  [6, '1\n'],
  [7, '2 units\n'],
  [8, '409 after 2 attempts and 1000 ms\n'],
])('example %d runs', async (index, output) => {
  const { printed, complaints, status } = await folder.runExample(examples[index] ?? '', {
    PETSTORE_KEY_FILE: folder.write('key.txt', 'pst_test\n'),
  });
  expect({ printed, complaints, status }).toEqual({ printed: output, complaints: '', status: 0 });
});

test('every example is run', () => {
  expect(examples).toHaveLength(9);
});
