import type { Part } from '../part.ts';
import { cancel } from './cancel.ts';
import { client, clientSize } from './client.ts';
import { compression } from './compression.ts';
import { generate } from './generate.ts';
import { limiter } from './limiter.ts';
import { lists, mechanisms, refusals } from './loads.ts';
import { million } from './million.ts';
import { operations } from './operations.ts';
import { scaling } from './scaling.ts';
import { instances, shared } from './shared.ts';
import { start } from './start.ts';

/** Every part, in the order in which a full run takes them. */
export const parts: readonly Part[] = [
  ...lists,
  cancel,
  ...refusals,
  mechanisms,
  shared,
  instances,
  million,
  compression,
  limiter,
  operations,
  start,
  client,
  clientSize,
  generate,
  scaling,
];
