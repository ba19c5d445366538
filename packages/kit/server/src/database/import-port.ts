/** An id of the file that the store has already. */
export interface ImportConflict {
  readonly line: number;
  readonly id: number;
}

/** An item to import, with the line of the file it comes from. The store issues an id if it has none. */
export type Imported<Item> = Item & { readonly line: number };

/** An import under way: everything is staged first and goes in at once, or not at all. */
export interface Import<Item> {
  stage(items: readonly Imported<Item>[]): Promise<void>;
  /** Stores all and returns [], or stores nothing and returns every conflict. Calls `deciding` before it stores. */
  commit(deciding?: () => void): Promise<ImportConflict[]>;
  abandon(): Promise<void>;
}
