import { parseContract, parseSource, type Pointer } from '@contract-kit/core/openapi';
import { checkContract } from '../src/rules/check-contract.ts';

/* Contracts in JSON are read without a node for each value. They mean the same, and their problems have the same places. */

const TEXT = `{
  "openapi": "3.1.0", "a\\"b\\u0020": { "none": null, "empty": {}, "list": [ 1, [2, {"x": true}], {} ] },
  "text with { [ \\" , : }": "value, with \\\\", "emoji": "\\ud83d\\ude00",
  "x": {"200": {"y": [{"z": -1.5e3}]}, "": ""}
}
`;

/** As YAML: its reader takes JSON with a comment too. */
const asYaml = parseSource(`#\n${TEXT}`);

function pointersIn(value: unknown, pointer: Pointer = []): Pointer[] {
  if (typeof value !== 'object' || value === null) return [pointer];
  const inner = Object.entries(value).flatMap(([name, child]) =>
    pointersIn(child, [...pointer, Array.isArray(value) ? Number(name) : name]),
  );
  return [pointer, ...inner];
}

test('the values are those of YAML', () => {
  expect(parseSource(TEXT).data).toEqual(asYaml.data);
});

test.each([...pointersIn(JSON.parse(TEXT)), ['x', '200', 'missing', 'z'], ['emoji', 'a'], ['a', 0]])(
  'the place %# is that of YAML',
  (...pointer) => {
    const { line, column } = parseSource(TEXT).at(pointer, '');
    const expected = asYaml.at(pointer, '');
    // The root is at the start of the file, which is the comment there.
    const isRoot = expected.line === 1;
    expect([line, column]).toEqual(isRoot ? [1, 1] : [expected.line - 1, expected.column]);
  },
);

test.each([
  ['a name that is there twice', '"a": { "b": 1, "b": 2 }', 'has this name already'],
  [
    'a name that is there twice, once with an escape',
    '"a": { "b": 1, "\\u0062": 2 }',
    'has this name already',
  ],
  ['a number of an enum that would be rounded', '"enum": [9007199254740993]', 'would be rounded'],
  ['the same below it', '"const": { "a": [9007199254740993] }', 'would be rounded'],
  ['a number that is not finite', '"a": 1e999', 'JSON has no such number'],
  ['a control character', '"a": "\\u0000"', 'U+0000'],
  ['half a surrogate pair', '"a": "\\ud800"', 'U+D800'],
  ['the same in a name', '"\\udc00": 1', 'U+DC00'],
  ['what merges in YAML', '"<<": 1', 'only the names of objects can follow <<'],
])('reports %s', (_, field, message) => {
  const read = () =>
    parseSource(`{\n${field}\n}`)
      .problems.map((problem) => problem.message)
      .join();
  let told: string;
  try {
    told = read();
  } catch (error) {
    told = (error as Error).message;
  }
  expect(told).toContain(message);
});

test.each(['{ "default": 9223372036854776000 }', 'default: 9223372036854776000\nenum: [1e21]\n'])(
  'a number that is written as it is read is exact: %s',
  (text) => {
    // As JavaScript writes 2^63, and DigitalOcean into its contract.
    expect(parseSource(text).problems).toEqual([]);
  },
);

test('a contract of megabytes is read, and a problem at its end has its place', () => {
  const description = 'What it does, in many words. '.repeat(60);
  const operation = (id: string, schema: string) => ({
    ...{ operationId: id, description },
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
    responses: {
      200: {
        description: 'It.',
        content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
      },
    },
  });
  const ids = Array.from({ length: 2_500 }, (_, index) => index);
  const document = {
    ...{ openapi: '3.1.0', info: { title: 'Large', version: '1.0.0' } },
    components: {
      schemas: Object.fromEntries(
        ids.map((id) => [
          `Part${id}`,
          { type: 'object', properties: { next: { $ref: `#/components/schemas/Part${(id + 1) % 2_500}` } } },
        ]),
      ),
    },
    paths: Object.fromEntries(
      ids.map((id) => [`/parts${id}/{id}`, { get: operation(`getPart${id}`, `Part${id}`) }]),
    ),
  };
  const text = JSON.stringify(document, undefined, 1);
  expect(text.length).toBeGreaterThan(5_000_000);
  const contract = parseContract(text);
  expect(contract.model.operations).toHaveLength(2_500);
  expect(checkContract(contract)).toEqual([]);
  const { line } = contract.problemAt(['paths', '/parts2499/{id}', 'get', 'description'], '');
  expect(text.split('\n')[line - 1]).toContain('What it does');
});
