import { hash } from 'node:crypto';

const BUCKETS = 256;
/** Words of 32 bits that are kept of each hash. */
const WORDS = 4;

/** The bucket of a row: equal rows are in the same one. */
export const bucketOf = (row: string): number => digestOf(row).readUInt8();

/** Tells whether two sets of rows are equal, in any order and in constant memory. */
export class RowDigest {
  #rows = 0;
  #length = 0;
  /** The sum of the hashes in each bucket. A row that occurs twice counts twice. */
  readonly #sums = new Uint32Array(BUCKETS * WORDS);

  add(row: string): void {
    this.#rows += 1;
    this.#length += row.length;
    const digest = digestOf(row);
    const first = digest.readUInt8() * WORDS;
    for (let word = 0; word < WORDS; word += 1) {
      const index = first + word;
      this.#sums[index] = (this.#sums[index] as number) + digest.readUInt32LE(4 * (word + 1));
    }
  }

  get averageLength(): number {
    return this.#rows === 0 ? 1 : this.#length / this.#rows;
  }

  /** The buckets whose rows differ. */
  differences(other: RowDigest): number[] {
    const wrong = new Set<number>();
    for (const [index, sum] of this.#sums.entries())
      if (sum !== other.#sums[index]) wrong.add(Math.floor(index / WORDS));
    return [...wrong];
  }
}

function digestOf(row: string): Buffer {
  return hash('sha256', row, 'buffer');
}
