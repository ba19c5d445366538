import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseContract } from '../src/contract.ts';
import { plainDocument } from '../src/generate/plain-document.ts';

const kitchenSink = path.join(import.meta.dirname, 'kitchen-sink/openapi.yaml');

test('path items by reference, and parameters in place of those of their path item, are written out', () => {
  const contract = parseContract(readFileSync(kitchenSink, 'utf8'));
  const { paths, components } = plainDocument(contract) as Record<string, Record<string, object>>;
  expect(paths).toHaveProperty(['/pets/{petId}', 'get', 'operationId'], 'getPet');
  expect(paths?.['/pets/{petId}/photo']).not.toHaveProperty('parameters');
  expect(paths).toMatchObject({
    '/pets/{petId}/photo': { get: { parameters: [{ name: 'petId', schema: { maximum: 1000 } }] } },
  });
  expect(components).not.toHaveProperty('pathItems');
});
