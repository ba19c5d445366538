import { version } from './version.ts';

/** A variable of the environment, where there is one. */
export function environmentOf(name: string): string | undefined {
  try {
    return globalThis.process?.env[name];
  } catch {
    return; // Deno asks for a permission.
  }
}

/** In a page it would be asked for in advance whether it may be sent (Fetch §4.9), and every API would have to agree. */
export function userAgent(): string | undefined {
  const { navigator } = globalThis as { navigator?: { userAgent?: string } };
  return navigator?.userAgent?.startsWith('Mozilla') ? undefined : `petstore-client/${version}`;
}
