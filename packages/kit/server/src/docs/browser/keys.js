import { cookieWithKey } from '@contract-kit/core/http';
import { all } from './elements.js';

/**
 * The keys of the first alternative whose fields are all filled in, otherwise of one whose other keys are cookies that the
 * browser may have; undefined if there is none.
 */
export function credentials(form) {
  const field = (id) => all('[data-key]', form).find(({ dataset }) => dataset.key === id);
  const isFilled = ({ value, validity }) => value.trim() !== '' && validity.valid;
  const mayHave = ({ value, dataset }) => value === '' && JSON.parse(dataset.credential).in === 'cookie';
  const alternatives = JSON.parse(form.dataset.security);
  const ready =
    alternatives.find((ids) => ids.every((id) => isFilled(field(id)))) ??
    alternatives.find((ids) => ids.every((id) => isFilled(field(id)) || mayHave(field(id))));
  return ready?.map((id) => {
    const { value, dataset } = field(id);
    return { ...JSON.parse(dataset.credential), key: value.trim() };
  });
}

/** Sends a request with keys in cookies, which only the browser writes: it has them until the response begins. */
export async function withCookies(keys, send) {
  const cookies = keys.map(({ name, key }) => {
    const before = pageCookies().find((cookie) => cookie.startsWith(`${name}=`));
    return { name, before, cookie: cookieWithKey(name, key) };
  });
  try {
    for (const { name, cookie } of cookies) {
      setCookie(cookie);
      if (pageCookies().includes(cookie)) continue;
      throw new Error(`this browser lets no page set the cookie ${name}. Log out, or leave the key empty.`);
    }
    return await send();
  } finally {
    for (const { name, before } of cookies) setCookie(before ?? `${name}=; max-age=0`);
  }
}

const pageCookies = () => document.cookie.split('; ');

function setCookie(cookie) {
  // Names with these prefixes need it, and most browsers take it on localhost without TLS.
  const isSecure = location.protocol === 'https:' || /^__(Host|Secure)-/i.test(cookie);
  document.cookie = `${cookie}; path=/; samesite=strict${isSecure ? '; secure' : ''}`;
}
