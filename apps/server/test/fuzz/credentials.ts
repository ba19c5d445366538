import fc, { type Arbitrary } from 'fast-check';

export type Header = readonly [name: string, value: string];

/** Stand for keys until a request is sent, so that the same seed makes the same requests whatever the keys are. */
export const VALID_KEY = '{{valid key}}';
/** The same as the password of nobody (RFC 7617 §2). */
export const PASSWORD = '{{valid key as a password}}';
const UNKNOWN_KEY = '{{unknown key}}';

/** What comes near a key, as a function of it. */
const GARBLED: Readonly<Record<string, (key: string) => string>> = {
  '{{last character changed}}': (key) => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0'),
  '{{first character changed}}': (key) => key.replace(/_./, (two) => (two === '_0' ? '_1' : '_0')),
  '{{truncated}}': (key) => key.slice(0, -1),
  '{{extended}}': (key) => `${key}0`,
  '{{twice}}': (key) => key + key,
  '{{twice, with a comma}}': (key) => `${key}, ${key}`,
  '{{in capitals}}': (key) => key.toUpperCase(),
  '{{in small letters}}': (key) => key.toLowerCase(),
  '{{without its prefix}}': (key) => key.slice(key.indexOf('_') + 1),
  '{{in quotes}}': (key) => `"${key}"`,
  '{{in base64}}': (key) => Buffer.from(`${key}:`).toString('base64'),
  '{{percent-encoded}}': (key) => key.replace('_', '%5F'),
};

export interface Keys {
  readonly valid: string;
  readonly unknown: string;
}

/** `text` with the keys in it. */
export function withKeys(text: string, { valid, unknown }: Keys): string {
  let filled = text.replaceAll(VALID_KEY, valid).replaceAll(UNKNOWN_KEY, unknown);
  filled = filled.replaceAll(PASSWORD, Buffer.from(`:${valid}`).toString('base64'));
  for (const [name, garble] of Object.entries(GARBLED)) {
    if (filled.includes(name)) filled = filled.replaceAll(name, garble(valid));
  }
  return filled;
}

export interface Impostor {
  readonly what: string;
  readonly headers: readonly Header[];
  readonly query?: string;
  readonly statuses: readonly number[];
}

const elsewhere: Arbitrary<Impostor> = fc
  .oneof(
    fc
      .constantFrom('X-API-Key', 'Api-Key', 'Proxy-Authorization', 'X-Authorization', 'Cookie')
      .map((name): Pick<Impostor, 'headers' | 'query'> => ({
        headers: [[name, name === 'Cookie' ? `Authorization=Bearer ${VALID_KEY}` : `Bearer ${VALID_KEY}`]],
      })),
    fc
      .constantFrom('access_token', 'api_key', 'apiKey', 'key', 'token', 'authorization', 'Authorization')
      .chain((name) =>
        fc.constantFrom('', 'Bearer%20').map((scheme) => ({
          headers: [],
          query: `${name}=${scheme}${VALID_KEY}`,
        })),
      ),
  )
  // Whether the missing key or the undeclared parameter is told first is not for the contract to say.
  .map((place) => ({
    ...place,
    what: 'a key in the wrong place',
    statuses: place.query ? [400, 401] : [401],
  }));

export const NOBODY: Impostor = { what: 'no key', headers: [], statuses: [401] };

/** Requests that must not get past the door although they hold something like a key, or the key itself. */
export const impostors: Arbitrary<Impostor> = fc.oneof(
  fc.constant(NOBODY),
  fc
    .oneof(
      fc.constantFrom(...Object.keys(GARBLED), UNKNOWN_KEY),
      fc.string({ maxLength: 60, unit: 'grapheme-ascii' }).map((text) => text.trim()),
    )
    .map((token) => authorization('a token that is no key', `Bearer ${token}`.trim())),
  fc
    .constantFrom(
      'Basic',
      'Digest',
      'Token',
      'ApiKey',
      'Bearerr',
      'XBearer',
      'Basic bearer',
      'Negotiate Bearer',
      '',
    )
    .map((scheme) => authorization('another scheme', `${scheme} ${VALID_KEY}`.trim())),
  fc
    .constantFrom(
      `Bearer${VALID_KEY}`,
      `Bearer:${VALID_KEY}`,
      `Bearer=${VALID_KEY}`,
      `Bearer\t${VALID_KEY}`,
      `Bearer`,
    )
    .map((value) => authorization('a scheme without its space', value)),
  elsewhere,
  fc
    .constantFrom<[string, string]>(
      [`Bearer ${VALID_KEY}`, `Bearer ${VALID_KEY}`],
      [`Bearer ${VALID_KEY}`, 'Basic YTpi'],
      ['Bearer none', `Bearer ${VALID_KEY}`],
    )
    .map(([first, second]) => ({
      what: 'two Authorization headers',
      headers: [
        ['Authorization', first],
        ['authorization', second],
      ] as Header[],
      statuses: [400],
    })),
);

function authorization(what: string, value: string): Impostor {
  return { what, headers: [['Authorization', value]], statuses: [401] };
}
