import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseContract } from '../src/contract.ts';
import { plainDocument } from '../src/generate/plain-document.ts';

const trial = path.join(__dirname, 'trial/openapi.yaml');

/** Prints the generated types; in a process of its own, because Jest cannot load openapi-typescript. */
const PROGRAM = `
  import { readFileSync } from 'node:fs';
  import { parseContract } from './src/contract.ts';
  import { emit } from './src/generate/emit.ts';
  const outputs = await emit(parseContract(readFileSync(${JSON.stringify(trial)}, 'utf8')));
  console.log(outputs['schema.ts']);
`;

/* What a replacement of openapi-typescript would have to give: docs/decisions/0014. */
test('the types of everything that works are as they were', () => {
  const args = ['--import', 'tsx', '--conditions=@petstore/source', '--input-type=module', '-e', PROGRAM];
  const options = { cwd: path.resolve(__dirname, '..'), encoding: 'utf8' } as const;
  expect(execFileSync(process.execPath, args, options)).toMatchSnapshot();
});

test('path items by reference, and parameters in place of those of their path item, are written out', () => {
  const contract = parseContract(readFileSync(trial, 'utf8'));
  const { paths, components } = plainDocument(contract) as Record<string, Record<string, object>>;
  expect(paths).toHaveProperty(['/pets/{petId}', 'get', 'operationId'], 'getPet');
  expect(paths?.['/pets/{petId}/photo']).not.toHaveProperty('parameters');
  expect(paths).toMatchObject({
    '/pets/{petId}/photo': { get: { parameters: [{ name: 'petId', schema: { maximum: 1000 } }] } },
  });
  expect(components).not.toHaveProperty('pathItems');
});
