import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Contract } from '@contract-kit/core';
import { contractOf, parseContract } from '@contract-kit/core/openapi';
import { readModel } from '@contract-kit/core/model';

const folder = path.join(import.meta.dirname, '../../kitchen-sink');

/** The text of the kitchen-sink contract. */
export const contractText = readFileSync(path.join(folder, 'openapi.yaml'), 'utf8');

/** The contract without plans, error codes or house rules. */
export const openText = readFileSync(path.join(folder, 'open.yaml'), 'utf8');

/** The contract with what OpenAPI 3.2 adds. */
export const newestText = readFileSync(path.join(folder, 'newest.yaml'), 'utf8');

export const newestContract = () =>
  contractOf(parseContract(newestText), { name: 'newest', keyPrefix: 'new_', databaseFile: 'store.db' });

export const openContract = () =>
  contractOf(parseContract(openText), { name: 'shelves', keyPrefix: 'sh_', databaseFile: 'store.db' });

/** The problems of `openContract`. */
export const openErrorBody = ({
  code,
  message,
  status,
}: {
  code: string;
  message: string;
  status: number;
}) => ({
  title: code,
  status,
  detail: message,
});

/** The packages of the library. */
export const published = {
  client: { name: '@library/client', registry: 'https://registry.example' },
  mcp: { name: '@library/mcp', registry: 'https://registry.example' },
};
const names = { name: 'library', keyPrefix: 'lib_', databaseFile: 'store.db', published };

/** Another contract, by default as one of the library. */
export const contractFrom = (text: string, of: Parameters<typeof contractOf>[1] = names) =>
  contractOf(parseContract(text), of);

/** The operationIds of a contract. */
export const idsIn = ({ document }: Pick<Contract, 'document'>) =>
  readModel(document).operations.map(({ id }) => id);
