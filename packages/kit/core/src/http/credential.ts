/** Where a request carries a key, and the word in front of the key there (OpenAPI 3.1 §4.8.27). */
export interface Credential {
  readonly in: 'header' | 'query' | 'cookie';
  readonly name: string;
  readonly prefix: 'Bearer' | 'Basic' | '';
}

/** The headers that carry a key, each with its scheme, if an operation names none. */
export const DEFAULT_CREDENTIALS: Readonly<Record<string, string>> = { Authorization: 'Bearer' };

/** A security scheme of a contract. */
export interface SecurityScheme {
  readonly type?: string;
  readonly scheme?: string;
  readonly bearerFormat?: string;
  readonly in?: string;
  readonly name?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
}

/** How a scheme carries its key; undefined for a scheme that the kit cannot check. */
export function credentialOf({ type, scheme, in: place, name = '' }: SecurityScheme): Credential | undefined {
  if (type === 'apiKey') {
    const isKnown = place === 'header' || place === 'query' || place === 'cookie';
    return isKnown ? { in: place, name, prefix: '' } : undefined;
  }
  const word = type === 'http' ? scheme?.toLowerCase() : 'bearer';
  const isToken = type === 'http' || type === 'oauth2' || type === 'openIdConnect';
  if (!isToken || (word !== 'bearer' && word !== 'basic')) return undefined;
  return { in: 'header', name: 'Authorization', prefix: word === 'basic' ? 'Basic' : 'Bearer' };
}

/** What messages call that which a scheme carries. */
export type CredentialWord = 'API key' | 'token';

/** Of the scheme `name`. A bearer token that the contract calls neither is an API key, or `bearer`. */
export function credentialWordOf(
  name: string,
  { type, scheme, bearerFormat = '' }: SecurityScheme,
  bearer: CredentialWord = 'API key',
): CredentialWord {
  if (type === 'oauth2' || type === 'openIdConnect') return 'token';
  if (type !== 'http' || scheme?.toLowerCase() !== 'bearer') return 'API key';
  if (/jwt|token/i.test(bearerFormat)) return 'token';
  if (/key/i.test(name + bearerFormat)) return 'API key';
  return bearerFormat === '' ? bearer : 'token';
}

/** The words as one: `API key or token`. */
export const eitherWord = (words: readonly CredentialWord[]): string =>
  [...new Set(words)].sort().join(' or ');

/** The text of the header that carries `key`. RFC 7617 §2: the key is the password, without a user. */
export const keyText = (prefix: string, key: string): string =>
  `${prefix} ${prefix === 'Basic' ? btoa(`:${key}`) : key}`.trim();

/** The URL with `key` in its query. */
export const urlWithKey = (url: string, name: string, key: string): string =>
  `${url}${/[?]/.test(url) ? '&' : '?'}${encodeURIComponent(name)}=${encodeURIComponent(key)}`;

/** The cookie that carries `key`, encoded as a parameter in a cookie is. */
export const cookieWithKey = (name: string, key: string): string => `${name}=${encodeURIComponent(key)}`;

const BEARER = /^bearer +/i;
const BASIC = /^basic +/i;

/** The key in a text, valid or not; undefined if the text belongs to another scheme. The word is case-insensitive. */
export function keyIn(
  { name, prefix }: Pick<Credential, 'name' | 'prefix'>,
  text: string,
): string | undefined {
  // In `Authorization` a plain key may follow the name of a scheme.
  if (!prefix) return /^authorization$/i.test(name) ? text.replace(/^[\w-]+ +/, '') : text;
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
