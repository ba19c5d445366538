import { lists } from './list.ts';
import type { Part } from './part.ts';

/** Every part, in the order in which a full run takes them. */
export const parts: readonly Part[] = [...lists];
