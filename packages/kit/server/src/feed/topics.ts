/** How long an entry is kept if its topic says nothing, in milliseconds. */
export const ENTRIES_KEPT_FOR = 7 * 24 * 60 * 60_000;

export interface TopicOptions {
  /** How long entries are kept, in milliseconds; by default 7 days. */
  readonly keptFor?: number;
}

/** A store in which this was done is a copy: cursors that were made before have expired. */
export const FORGET_PLACE = `UPDATE feed_topics SET place = ''`;
