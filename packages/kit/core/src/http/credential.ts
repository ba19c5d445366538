/** Where a request carries a key, and the word in front of the key there (OpenAPI 3.1 §4.8.27). */
export interface Credential {
  readonly in: 'header' | 'query';
  readonly name: string;
  readonly prefix: 'Bearer' | 'Basic' | '';
}

/** The headers that carry a key, each with its scheme, if an operation names none. */
export const DEFAULT_CREDENTIALS: Readonly<Record<string, string>> = { Authorization: 'Bearer' };

/** A security scheme of a contract. */
export interface SecurityScheme {
  readonly type?: string;
  readonly scheme?: string;
  readonly in?: string;
  readonly name?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
}

/** How a scheme carries its key; undefined for a scheme that the kit cannot check. */
export function credentialOf({ type, scheme, in: place, name = '' }: SecurityScheme): Credential | undefined {
  if (type === 'apiKey')
    return place === 'header' || place === 'query' ? { in: place, name, prefix: '' } : undefined;
  const word = type === 'http' ? scheme?.toLowerCase() : 'bearer';
  const isToken = type === 'http' || type === 'oauth2' || type === 'openIdConnect';
  if (!isToken || (word !== 'bearer' && word !== 'basic')) return undefined;
  return { in: 'header', name: 'Authorization', prefix: word === 'basic' ? 'Basic' : 'Bearer' };
}

/** The text that carries `key`. RFC 7617 §2: the key is the password, without a user. */
export function keyText(prefix: string, key: string): string {
  return `${prefix} ${prefix === 'Basic' ? btoa(`:${key}`) : key}`.trim();
}

const BEARER = /^bearer +/i;
const BASIC = /^basic +/i;

/** The key in a text, valid or not; undefined if the text belongs to another scheme. The word is case-insensitive. */
export function keyIn(prefix: string, text: string): string | undefined {
  if (!prefix) return text;
  const [word] = (prefix === 'Basic' ? BASIC : BEARER).exec(text) ?? [];
  if (word === undefined) return undefined;
  const sent = text.slice(word.length);
  if (prefix !== 'Basic') return sent;
  if (!/^[a-z0-9+/]*={0,2}$/i.test(sent)) return undefined;
  try {
    return atob(sent).replace(/^[^:]*:?/, '');
  } catch {
    return '';
  }
}
