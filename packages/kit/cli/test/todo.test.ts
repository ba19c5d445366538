import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder } from '@contract-kit/test-support/testing';

const bin = path.join(__dirname, '../bin/contract-kit.js');

/** What `contract-kit todo` prints for handlers of operations. The path of each is its operationId. */
function todo(operationIds: readonly string[], handlers: string): string {
  const root = newFolder();
  const folder = path.join(root, 'apps/server/src/loans');
  mkdirSync(folder, { recursive: true });
  const paths = operationIds.map(
    (id) => `  /${id}: { get: { operationId: ${id}, responses: { '200': { description: Done. } } } }\n`,
  );
  const head = `openapi: 3.1.0\ninfo: { title: Loans, version: '1' }\npaths:\n`;
  writeFileSync(path.join(root, 'openapi.yaml'), head + paths.join(''));
  writeFileSync(path.join(root, 'service.json'), '{}');
  writeFileSync(path.join(folder, 'handlers.ts'), handlers);
  return spawnSync(process.execPath, [bin, 'todo'], { cwd: root, encoding: 'utf8' }).stdout;
}

test('lists unimplemented operations by file, line and operationId', () => {
  const handlers = `import { notYet } from '@contract-kit/server';\n\nexport const loanHandlers = () => ({
  listLoans: notYet,
  cancelLoan: () => ({ status: 204 }),
  'renewLoan': notYet, // soon
});\n`;
  expect(todo(['listLoans', 'cancelLoan', 'renewLoan'], handlers)).toBe(
    `apps/server/src/loans/handlers.ts:4  listLoans  GET /listLoans
apps/server/src/loans/handlers.ts:6  renewLoan  GET /renewLoan
1 of 3 operations are implemented.
`,
  );
});

test('lists operations that no feature has, whatever comments and texts say', () => {
  const handlers = `// getPhoto: as in the old service
export const loanHandlers = () => ({
  listLoans,
  'getLoan': () => ({ status: 200, body: "addPhoto: soon" }),
  async cancelLoan() {
    return { status: 204 };
  },
});\n`;
  expect(todo(['listLoans', 'getLoan', 'cancelLoan', 'getPhoto', 'addPhoto'], handlers)).toBe(
    `getPhoto  GET /getPhoto  has no handler: add it to a feature
addPhoto  GET /addPhoto  has no handler: add it to a feature
3 of 5 operations are implemented.
`,
  );
});
