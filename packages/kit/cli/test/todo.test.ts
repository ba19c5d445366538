import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { placesOfNotYet } from '../src/todo/not-yet.ts';

test('lists unimplemented operations by file, line and operationId', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'todo-'));
  try {
    const folder = path.join(root, 'apps/server/src/loans');
    mkdirSync(folder, { recursive: true });
    const handlers = `import { notYet } from '@contract-kit/server';\n\nexport const loanHandlers = () => ({
  listLoans: notYet,
  cancelLoan: () => ({ status: 204 }),
  'renewLoan': notYet, // soon
});\n`;
    writeFileSync(path.join(folder, 'handlers.ts'), handlers);
    const file = 'apps/server/src/loans/handlers.ts';
    expect(await placesOfNotYet(root)).toEqual([
      { file, line: 4, operationId: 'listLoans' },
      { file, line: 6, operationId: 'renewLoan' },
    ]);
  } finally {
    rmSync(root, { recursive: true });
  }
});
