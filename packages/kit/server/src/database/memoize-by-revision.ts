/** Loads a value once for each revision. Each call asks `current`, so no value is older than its call. */
export function memoizeByRevision<Revision, Value>(
  current: () => Promise<Revision>,
  load: () => Promise<Value>,
): () => Promise<Value> {
  let latest: { readonly revision: Revision; readonly value: Promise<Value> } | undefined;
  return async () => {
    const revision = await current();
    if (latest?.revision === revision) return latest.value;
    // A change committed during the load may be in it. Then the revision has already changed.
    const loading = { revision, value: load() };
    latest = loading;
    loading.value.catch(() => {
      if (latest === loading) latest = undefined;
    });
    return loading.value;
  };
}
