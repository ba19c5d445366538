import type { JsonObject } from '@contract-kit/core/json';
import { contract } from './contract.ts';

/** The kitchen-sink contract with copies of its loans, under 40 other tags: so many that each tag has a page. */
export function manyOperations(): JsonObject {
  const document = structuredClone(contract.document) as {
    paths: Record<string, Record<string, JsonObject>>;
    tags: JsonObject[];
  };
  for (let copy = 0; copy < 40; copy++) {
    document.tags.push({ name: `Copy ${copy}` });
    for (const path of ['/loans', '/loans/{loanId}'])
      document.paths[path.replace('/loans', `/copy-${copy}`)] = Object.fromEntries(
        Object.entries(document.paths[path] ?? {}).map(([method, operation]) => {
          const { operationId, summary } = operation as { operationId: string; summary: string };
          const names = { operationId: operationId + copy, summary: `${summary} ${copy}` };
          return [method, { ...operation, ...names, tags: [`Copy ${copy}`] }];
        }),
      );
  }
  return document;
}
