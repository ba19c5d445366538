import { forValidator } from '../src/validation/request-validator.ts';

const document = (parameter: object) => ({
  openapi: '3.1.0',
  paths: { '/orders/{id}': { get: { parameters: [parameter] } } },
  components: {
    parameters: { Shared: { name: 'id', in: 'path', schema: { $ref: '#/components/schemas/Alias' } } },
    schemas: {
      Alias: { $ref: '#/components/schemas/Id' },
      Id: { type: 'integer', format: 'int64', minimum: 1 },
    },
  },
});

test.each([
  ['in place', { name: 'id', in: 'path', schema: { type: 'integer', format: 'int64', minimum: 1 } }],
  ['by reference', { name: 'id', in: 'path', schema: { $ref: '#/components/schemas/Id' } }],
  [
    'by a reference to a reference',
    { name: 'id', in: 'query', schema: { $ref: '#/components/schemas/Alias' } },
  ],
])('an int64 parameter whose schema is written %s is exact', (_where, parameter) => {
  const { apiSpec, formats } = forValidator(document(parameter));
  const [found] = apiSpec.paths?.['/orders/{id}']?.get?.parameters ?? [];
  const { type, format = '' } = (found as unknown as { schema: { type: string; format?: string } }).schema;
  expect(type).toBe('string');
  expect(['1', '9007199254740993'].every((text) => formats[format]?.validate(text))).toBe(true);
  expect(['0', '01', '1.0', '9223372036854775808'].some((text) => formats[format]?.validate(text))).toBe(
    false,
  );
});

test('an int64 parameter that operations share is exact', () => {
  const { apiSpec } = forValidator(document({ $ref: '#/components/parameters/Shared' }));
  const shared = apiSpec.components?.parameters?.['Shared'] as { schema: object };
  expect(shared.schema).toMatchObject({ type: 'string', format: expect.stringContaining('int64') as string });
});
