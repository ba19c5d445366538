import { defineService } from '@contract-kit/server';
import { contract } from '@billing/contract';
import manifest from '../package.json' with { type: 'json' };
import { features } from './features.ts';
import { addLogin, authenticate } from './login.ts';
import { settings } from './settings.ts';
import { tenant } from './tenant.ts';

/** The service as a value: what it serves, keeps and does. */
export const service = defineService(contract, features, {
  version: manifest.version,
  description: 'The billing service, and what its operator does.',
  settings,
  authenticate,
  middleware: [tenant],
  extend: addLogin,
});
