import type { Operation } from '@kit/contract';
import type { Client } from './client.ts';
import { checkedKey } from './options-check.ts';
import type { Session } from './session.ts';

/** The key that the function `apiKey` returns, or has returned. */
export function askForKey(
  { session, service }: Pick<Client, 'session' | 'service'>,
  apiKey: () => string | Promise<string>,
): Promise<string> {
  const asked = (session.key ??= (async () => {
    const key: unknown = await apiKey();
    if (!key) throw new TypeError('the function returned no key');
    return checkedKey(key, service);
  })());
  // A failure must not be kept.
  asked.catch(() => forgetKey(session, asked));
  return asked;
}

/** Has the function called again, unless another call has already. */
export function forgetKey(session: Session, key: Promise<string> | undefined): void {
  if (session.key === key) session.key = undefined;
}

/** Adds to the headers those that carry the key, unless they are among them. */
export function addCredentials(
  credentials: Operation['credentials'] = { authorization: 'Bearer' },
  key: string | undefined,
  headers: Record<string, string>,
): void {
  if (key)
    // RFC 7617 §2: the key is the password, of nobody.
    for (const name in credentials)
      headers[name.toLowerCase()] ??=
        `${credentials[name]} ${credentials[name] === 'Basic' ? btoa(`:${key}`) : key}`.trim();
}
