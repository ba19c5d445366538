/** An id of the file that the store has already. */
export interface ImportConflict {
  readonly line: number;
  readonly id: number;
}

/** An import under way: everything is staged first and goes in at once, or not at all. */
export interface Import<Item> {
  stage(items: readonly Item[]): Promise<void>;
  /** Stores all that was staged and returns no conflicts, or stores nothing and returns every conflict. */
  commit(): Promise<ImportConflict[]>;
  abandon(): Promise<void>;
}
