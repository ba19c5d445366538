import path from 'node:path';
import { commandsOf } from '@kit/server/testing';
export type { CommandOptions, Served as ServedPetstore } from '@kit/server/testing';

/** The `petstore` command: a script that Node.js runs. */
export const bin = path.join(import.meta.dirname, '../../bin/service.js');

export const {
  run: petstore,
  refusalOf,
  json: petstoreJson,
  serve: servePetstore,
} = commandsOf('petstore', [bin]);
