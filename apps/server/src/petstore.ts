import path from 'node:path';
import { defineService } from '@kit/server';
import { contract } from '@petstore/contract';
import manifest from '../package.json' with { type: 'json' };
import * as features from './features.ts';

/** The petstore as a value: what it serves, keeps and does. */
export const petstore = defineService(contract, features, {
  version: manifest.version,
  description: "The petstore's store orders: the service, and what its operator does.",
  pastMigrations: path.join(import.meta.dirname, 'migrations'),
});
