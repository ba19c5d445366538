/** The elements of an array as batches of JSON text, without the array's brackets. */
export interface Batches extends AsyncIterable<string> {
  /** The whole array, unless it is too long to be cached. Undefined if it is known to be. */
  readonly whole?: () => Promise<Buffer | undefined>;
}

/** A JSON array that is read when its response is sent: whole, or in batches at the reader's speed. */
export class List<Item> {
  /** The whole array, or a long one in batches. */
  readonly read: () => Promise<Buffer | Batches>;
  /** All elements as batches of JSON text, without the array's brackets. */
  readonly batches: () => AsyncIterable<string>;

  constructor({ read, batches }: Pick<List<Item>, 'read' | 'batches'>) {
    this.read = read;
    this.batches = batches;
  }

  /** All elements, in batches. Integers beyond 2^53 are rounded. */
  async *items(): AsyncGenerator<Item[]> {
    for await (const batch of this.batches()) yield JSON.parse(`[${batch}]`) as Item[];
  }
}
