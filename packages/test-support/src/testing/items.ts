interface Importing<Item> {
  stage(items: readonly (Item & { readonly line: number })[]): Promise<void>;
  commit(): Promise<readonly unknown[]>;
}

/** Imports new items, one per line. */
export async function importItems<Item>(
  store: { beginImport(): Promise<Importing<Item>> },
  items: readonly Item[],
): Promise<void> {
  const underway = await store.beginImport();
  await underway.stage(items.map((item, index) => ({ ...item, line: index + 1 })));
  if ((await underway.commit()).length > 0) throw new Error('these ids are there already');
}

/** The items of all batches. */
export async function itemsIn<Item>(batches: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const batch of batches) all.push(...batch);
  return all;
}
