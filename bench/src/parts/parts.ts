import { answers } from './answers.ts';
import { cancel } from './cancel.ts';
import { client } from './client.ts';
import { clientSize } from './client-size.ts';
import { clients } from './clients.ts';
import { compression } from './compression.ts';
import { lists } from './list.ts';
import { generate } from './generate.ts';
import { instances } from './instances.ts';
import { limiter } from './limiter.ts';
import { million } from './million.ts';
import type { Part } from './part.ts';
import { operations } from './operations.ts';
import { shared } from './shared.ts';
import { start } from './start.ts';

/** Every part, in the order in which a full run takes them. */
export const parts: readonly Part[] = [
  ...lists,
  cancel,
  ...answers,
  shared,
  instances,
  million,
  compression,
  limiter,
  operations,
  start,
  client,
  clientSize,
  clients,
  generate,
];
