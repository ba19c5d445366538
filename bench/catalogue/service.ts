// The catalogue as a user of the kit writes it: handlers of three operations, or of copies of them.
import { readFileSync } from 'node:fs';
import { defineService, errorResponse, runCommand } from '@contract-kit/server';
import type { Contract } from '@contract-kit/core';
import { readModel } from '@contract-kit/core/model';
import { create, find, list } from './products.mjs';

interface Input {
  readonly path: { readonly id: string };
  readonly query: { readonly limit: number };
  readonly body: object;
}

const handlers = {
  listProducts: ({ query }: Input) => ({ status: 200, body: list(query.limit) }),
  getProduct: ({ path: { id } }: Input) => {
    const product = find(id);
    return product ? { status: 200, body: product } : errorResponse(404, 'not_found', `There is no ${id}.`);
  },
  createProduct: ({ body }: Input) => ({ status: 201, body: create(body) }),
};

// Made by contracts.ts. A generated contract is a module, and the same value.
const contract = JSON.parse(readFileSync(process.env['CONTRACT_VALUE'] ?? '', 'utf8')) as Contract;

const ids = readModel(contract.document).operations.map(({ id }) => id);
const feature = {
  open: () => ({}),
  handlers: () =>
    Object.fromEntries(ids.map((id) => [id, handlers[id.replace(/\d+$/, '') as keyof typeof handlers]])),
};

await runCommand(
  defineService(contract, { all: feature }, { version: '1.0.0', description: 'A catalogue.' }),
);
