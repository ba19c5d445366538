import { schemaIn } from '../src/schema-view.ts';

test('what one part of an allOf marks as readOnly, no other part requires in a request', () => {
  const part = (id: object) => ({ type: 'object', properties: { id } });
  const id = { type: 'integer' };
  const schema = { allOf: [part({ ...id, readOnly: true }), { ...part(id), required: ['id'] }] };
  const seen = (view: 'sent' | 'response') => schemaIn(view, schema, { resolve: (each) => each });
  expect(seen('sent')).toEqual({ allOf: [{ type: 'object', properties: { id: false } }, part(id)] });
  expect(seen('response')).toEqual(schema);
});
