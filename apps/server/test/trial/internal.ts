/** Where `text` speaks of the trial's internal operation: of its id, path or tag, or of the schema that nothing else uses. */
export const internalIn = (text: string): string[] =>
  text.match(/.{0,40}(?:rebuildIndex|"\/index"|shard|upkeep).{0,40}/gi) ?? [];
