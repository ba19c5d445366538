import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Contract } from '@contract-kit/core';
import { readModel } from '@contract-kit/core/model';

const file = path.join(import.meta.dirname, 'dist/contract.json');

/** The kitchen-sink contract. bundle.ts generates it, because that would take each suite half a second. */
export const contract = JSON.parse(readFileSync(file, 'utf8')) as Contract;

/** What it describes. */
export const model = readModel(contract.document);
