import { parseContract, type Pointer } from '../src/contract.ts';

const TEXT = `
x-error-codes: { a: {}, b: {} }
components:
  schemas: { Error: { properties: { code: { type: string } } } }
first: &first
  deep: [{ wrong: 1 }]
second: *first
`;

const placeOf = (...pointer: Pointer) => parseContract(TEXT).problemAt(pointer, '');

test('what a YAML alias repeats is there, and a mistake in it has the place where it is written', () => {
  expect(parseContract(TEXT).document).toMatchObject({ second: { deep: [{ wrong: 1 }] } });
  expect(placeOf('second', 'deep', 0, 'wrong')).toMatchObject({ line: 6, column: 19 });
  expect(placeOf('second')).toMatchObject({ line: 7, column: 1 });
});

test('an alias may be used any number of times', () => {
  const many = Array.from({ length: 200 }, (_, index) => `x-${index}: *first`);
  expect(parseContract(TEXT + many.join('\n')).document).toHaveProperty('x-199');
});

test('the values of the code of an error follow from the error codes', () => {
  expect(parseContract(TEXT).document).toMatchObject({
    components: { schemas: { Error: { properties: { code: { 'x-extensible-enum': ['a', 'b'] } } } } },
  });
});
