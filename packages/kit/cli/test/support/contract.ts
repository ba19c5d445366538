import { readFileSync } from 'node:fs';
import path from 'node:path';
import { edit } from './edit.ts';

/** A small contract that keeps to every rule. */
export const contract = readFileSync(path.join(import.meta.dirname, 'contract.yaml'), 'utf8');

export type Edit = readonly [before: string, after: string];

/** That contract, with parts replaced. */
export function changed(...edits: readonly Edit[]): string {
  return edits.reduce((text, [before, after]) => edit(text, before, after), contract);
}
