import { defineService } from '@contract-kit/server';
import { contract } from '@invoicing/contract';
import manifest from '../package.json' with { type: 'json' };
import { errorBody } from './error-body.ts';
import { features } from './features.ts';
import { addLogin, authenticate } from './login.ts';
import { settings } from './settings.ts';
import { tenant } from './tenant.ts';

/** The service as a value: what it serves, keeps and does. */
export const service = defineService(contract, features, {
  version: manifest.version,
  description: 'The invoicing service, and what its operator does.',
  settings,
  errorBody,
  authenticate,
  middleware: [tenant],
  extend: addLogin,
});
