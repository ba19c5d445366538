import { isSafe } from '@contract-kit/core/http';
import type { SourceDocument } from '@contract-kit/core/openapi';
import { tableOf } from './table.ts';

/** The README of the MCP package: `page` with a new table in its chapter "Tools". Throws if that is missing. */
export function toolsPage(page: string, contract: SourceDocument): string {
  const chapter = /^## Tools\n[^#]*/m;
  if (!chapter.test(page)) throw new Error('the README of the MCP package has no heading Tools: write one');
  const rows = contract.model.operations.map(({ id, method, definition }) => [
    `\`${id}\``,
    (definition.summary ?? id).replaceAll('|', '\\|'),
    [isSafe(method) ? 'reads' : 'changes', definition.deprecated && 'deprecated'].filter(Boolean).join(', '),
  ]);
  return page.replace(
    chapter,
    () => `## Tools\n\n${tableOf([['Tool', 'What it does', 'Kind'], ...rows])}\n\n`,
  );
}
