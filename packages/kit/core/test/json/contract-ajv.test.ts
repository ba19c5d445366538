import { contractAjv } from '../../src/json/contract-ajv.ts';

const DATA = { $anchor: 'no name', $dynamicAnchor: 'no name', $id: '::', $ref: '#/nowhere' };

test.each(['example', 'x-sample', 'default'])('an anchor in %s is data', (keyword) => {
  const schema = { type: 'string', [keyword]: DATA };
  const validator = contractAjv().addSchema({
    components: { schemas: { A: schema }, examples: { a: { value: DATA } } },
  });
  expect(validator.compile({ ...schema, examples: [DATA, DATA] })('a')).toBe(true);
});

test('values are compared with all that a schema lists, what is called an anchor included', () => {
  const validate = contractAjv().compile({ properties: { $anchor: { const: DATA }, a: { enum: [DATA] } } });
  expect([validate({ $anchor: DATA, a: DATA }), validate({ $anchor: {} }), validate({ a: {} })]).toEqual([
    true,
    false,
    false,
  ]);
});
