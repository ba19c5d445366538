// Copies what tsc does not: SQL migrations and what the docs page runs in the browser.
import { cpSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
for (const asset of ['database/sqlite/migrations', 'database/postgres/migrations', 'pages/browser']) {
  cpSync(path.join(root, 'src', asset), path.join(root, 'dist', asset), { recursive: true });
}
