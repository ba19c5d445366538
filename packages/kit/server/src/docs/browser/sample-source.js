// What samples of several languages write.
import { keyText, urlWithKey } from '@contract-kit/core/http';

/** The quoted address, in other quotes if it includes keys. */
export function quotedUrl({ url, credentials }, plain, [open, key, close]) {
  const inQuery = credentials.filter((credential) => credential.in === 'query');
  if (inQuery.length === 0) return plain(url);
  const safe = url.replace(/["$'`\\]/g, (sign) => `%${sign.charCodeAt().toString(16)}`);
  // The key is code, which is not encoded.
  return open + inQuery.reduce((whole, { name }) => urlWithKey(whole, name, '') + key, safe) + close;
}

export const inHeaders = ({ credentials }) => credentials.filter((credential) => credential.in === 'header');

/** The text of a header with a key that is code; `escape` is for the rest. */
export function textWithKey({ prefix, parts }, key, escape) {
  return parts ? parts.map((part) => escape(part) + key).join('') : keyText(prefix, key);
}

/** A text as JavaScript and Python write it. */
export function quoted(text) {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
