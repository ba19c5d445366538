import path from 'node:path';
import { commandsOf } from '@contract-kit/test-support/testing';
export type { CommandOptions, Served as ServedPetstore } from '@contract-kit/test-support/testing';

/** The `petstore` command: a script that Node.js runs. */
export const bin = path.join(import.meta.dirname, '../../bin/service.js');

export const {
  run: petstore,
  resultOfRejection,
  json: petstoreJson,
  serve: servePetstore,
} = commandsOf('petstore', [bin]);
