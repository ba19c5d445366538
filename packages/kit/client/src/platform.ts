/** A variable of the environment, if there is one; an empty one counts as not set. */
export function environmentOf(name: string): string | undefined {
  try {
    return globalThis.process?.env[name] || undefined;
  } catch {
    return; // Deno asks for a permission.
  }
}

/** What only a page has, and its workers: the types of Node.js know nothing of it. */
export const page = globalThis as { readonly location?: { readonly href: string; readonly origin: string } };

/** Not in a page: its preflight would ask whether the header may be sent (Fetch §4.9), and every API would have to agree. */
export function userAgentOf({ name, version }: { name: string; version: string }): string | undefined {
  return page.location ? undefined : `${name}-client/${version}`;
}
