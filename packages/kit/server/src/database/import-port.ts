/** An id of the file that the store already has. */
export interface ImportConflict {
  readonly line: number;
  readonly id: number;
}

/** An item to import, with its line in the file. The store issues an id if it has none. */
export type Imported<Item> = Item & { readonly line: number };

/** A running import: it stages everything, then commits all of it or nothing. */
export interface Import<Item> {
  stage(items: readonly Imported<Item>[]): Promise<void>;
  /** Stores all and returns [], or stores nothing and returns every conflict. Calls `deciding` first. */
  commit(deciding?: () => void): Promise<ImportConflict[]>;
  abandon(): Promise<void>;
}
