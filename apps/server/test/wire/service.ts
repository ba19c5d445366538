import { readFileSync } from 'node:fs';
import path from 'node:path';
import { importItems, stopped } from '@contract-kit/test-support/testing';
import { createTestTools } from '@contract-kit/testing';
import { contractFrom } from '@contract-kit/test-support/contracts';
import type { Pet } from '../../src/pets/pet-store.ts';
import { petstore } from '../../src/petstore.ts';
import { importOrders } from '../support/store.ts';

const { name, keyPrefix, databaseFile } = petstore.contract;
const text = readFileSync(path.join(import.meta.dirname, 'contract.yaml'), 'utf8');
const contract = contractFrom(text, { name, keyPrefix, databaseFile });

export type WireService = Awaited<ReturnType<typeof startWireService>>;

/**
 * The petstore with the contract as it was recorded, and responses as in production. Another contract would have other
 * Allow headers and other pages: what a contract may change is what `npm run contract:diff` decides.
 */
export async function startWireService(env: Readonly<Record<string, string>>) {
  const service = await stopped(createTestTools({ ...petstore, contract }).startTestService)({
    env,
    validatesResponses: false,
  });
  const { orders, pets } = service.store.features;
  return {
    ...service,
    addOrders: (all: Parameters<typeof importOrders>[1]) => importOrders(orders, all),
    addPets: (all: readonly Pet[]) => importItems(pets, all),
  };
}
