import { createHash } from 'node:crypto';

/** A row with every value as text or null. Both engines write it the same way. */
export type TextRow = readonly (string | null)[];

/** A checksum of rows in order, and their number. Tables that agree in both have the same content. */
export function createChecksum() {
  const hash = createHash('sha256');
  let count = 0;
  return {
    add(rows: readonly TextRow[]): void {
      for (const row of rows) hash.update(`${JSON.stringify(row)}\n`);
      count += rows.length;
    },
    result: () => ({ count, sha256: hash.digest('hex') }),
  };
}

export type Checksum = ReturnType<ReturnType<typeof createChecksum>['result']>;
