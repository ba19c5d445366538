/** An id of the file that the store has already. */
export interface ImportConflict {
  readonly line: number;
  readonly id: number;
}

/** Where the items of an import go. */
export interface ImportTarget<Item> {
  readonly table: string;
  /** How each column other than the id is filled. */
  readonly columns: Readonly<Record<string, (item: Item) => string | number | boolean | null>>;
}

/** An import under way: everything is staged first and goes in at once, or not at all. */
export interface Import<Item> {
  stage(items: readonly Item[]): Promise<void>;
  /**
   * Stores all that was staged and returns no conflicts, or stores nothing and returns every conflict. Calls
   * `deciding` before what the database may carry out although it is not waited for any more.
   */
  commit(deciding?: () => void): Promise<ImportConflict[]>;
  abandon(): Promise<void>;
}
