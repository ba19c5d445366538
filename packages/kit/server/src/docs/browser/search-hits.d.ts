import type { Entry, SearchIndex } from '../search/search-index.ts';

interface ReadIndex {
  readonly entries: readonly (Entry & { readonly href: string })[];
}

interface Hit {
  readonly kind: string;
  readonly entry: ReadIndex['entries'][number];
  readonly rank: number;
  /** What it is found by, if that is no text of its own. */
  readonly name?: string;
}

export function readIndex(index: SearchIndex, base?: string): ReadIndex;
export function hitsIn(index: ReadIndex, query: string): readonly Hit[];
