import { readSchemas } from '../../src/model/index.ts';

const LEVELS = 12;
const BRANCHES = 12;

/** Each level has alternatives that all lead to the next one: 12^12 ways, and 12 schemas. */
function withSharedAlternatives(last: object) {
  const named = Array.from({ length: LEVELS }, (_, level) => {
    const next = { $ref: `#/components/schemas/L${level + 1}` };
    return [`L${level}`, { oneOf: Array.from({ length: BRANCHES }, () => ({ ...next })) }] as const;
  });
  return readSchemas({
    components: { schemas: { ...Object.fromEntries(named), [`L${LEVELS}`]: last } },
  });
}

const first = { $ref: '#/components/schemas/L0' };

test('alternatives that share alternatives are read once each, however many ways lead to them', () => {
  const schemas = withSharedAlternatives({
    type: 'object',
    properties: { id: { type: 'integer' } },
    additionalProperties: { type: 'string' },
  });
  expect(schemas.possibleFieldsOf(first)).toEqual({ id: { type: 'integer' } });
  expect(schemas.othersOf(first)).toEqual({ type: 'string' });
  expect([...schemas.typesOf(first)]).toEqual(['object']);
  expect(schemas.isBinary(first)).toBe(false);
  expect(withSharedAlternatives({ type: 'string', format: 'binary' }).isBinary(first)).toBe(true);
});

test('a schema among its own alternatives has the types of the others, or none that are known', () => {
  const schemas = readSchemas({
    components: {
      schemas: {
        Tree: { oneOf: [{ type: 'string' }, { $ref: '#/components/schemas/Tree' }] },
        List: { type: 'array', items: { $ref: '#/components/schemas/List' } },
      },
    },
  });
  expect([...schemas.typesOf({ $ref: '#/components/schemas/Tree' })]).toEqual([]);
  expect([...schemas.typesOf({ $ref: '#/components/schemas/List' })]).toEqual(['array']);
  expect(schemas.isBinary({ $ref: '#/components/schemas/Tree' })).toBe(false);
});
