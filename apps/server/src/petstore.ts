import { defineService } from '@contract-kit/server';
import { contract } from '@petstore/contract';
import manifest from '../package.json' with { type: 'json' };
import { features } from './features.ts';

/** The petstore service as a value. */
export const petstore = defineService(contract, features, {
  version: manifest.version,
  description: "The petstore's store orders: the service and its operator's commands.",
});
