import { readSchemas } from '../../src/model/index.ts';
import { schemaIn } from '../../src/model/schema-view.ts';

test('a property that one part of an allOf marks readOnly is required by no other part in a request', () => {
  const part = (id: object) => ({ type: 'object', properties: { id } });
  const id = { type: 'integer' };
  const schema = { allOf: [part({ ...id, readOnly: true }), { ...part(id), required: ['id'] }] };
  const seen = (view: 'sent' | 'response') => schemaIn(view, schema, { schemas: readSchemas({}) });
  expect(seen('sent')).toEqual({ allOf: [{ type: 'object', properties: { id: false } }, part(id)] });
  expect(seen('response')).toEqual(schema);
});

test('a condition requires a property with a default, which is not filled there', () => {
  const schema = { required: ['size'], properties: { size: { default: 1 } } };
  const sent = { properties: { size: { default: 1 } } };
  const seen = schemaIn(
    'sent',
    { ...schema, if: {}, else: { allOf: [schema] } },
    { schemas: readSchemas({}) },
  );
  expect(seen).toEqual({ ...sent, if: {}, else: { allOf: [schema] } });
});
