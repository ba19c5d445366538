import { version } from './version.ts';

/** A variable of the environment, where there is one; what is empty counts as not set. */
export function environmentOf(name: string): string | undefined {
  try {
    return globalThis.process?.env[name] || undefined;
  } catch {
    return; // Deno asks for a permission.
  }
}

/** What only a page has, and its workers: the types of Node.js know nothing of it. */
export const page = globalThis as { readonly location?: { readonly href: string; readonly origin: string } };

/** In a page it would be asked for in advance whether it may be sent (Fetch §4.9), and every API would have to agree. */
export function userAgent(): string | undefined {
  return page.location ? undefined : `petstore-client/${version}`;
}
