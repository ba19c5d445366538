import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'pst_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(`^${PREFIX}([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`);
const KEY_LIKE = new RegExp(`${PREFIX}[0-9A-Za-z]+`, 'g');

/** A new API key: `pst_`, 32 random base62 characters (190 bits), and their CRC-32 in 6 more. */
export function generateApiKey(): string {
  const secret = randomBase62(SECRET_LENGTH);
  return PREFIX + secret + checksum(secret);
}

/** A short random identifier to name a key by; no secret. */
export function generateKeyId(): string {
  return `key_${randomBase62(12)}`;
}

/** Whether `token` can be a key at all. What is not is refused without asking the store. */
export function isWellFormedApiKey(token: string): boolean {
  const [, secret, sum] = SHAPE.exec(token) ?? [];
  return secret !== undefined && checksum(secret) === sum;
}

/** A percent-encoded ASCII character, also one that was encoded several times. */
const PERCENT_ENCODED = /%(?:25)*([0-7][\da-f])/gi;

/** `text` with every key in it cut short, also if it is percent-encoded: for logs, wherever a client has put its key. */
export function withoutKeys(text: string): string {
  const decoded = text.replace(PERCENT_ENCODED, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return decoded.includes(PREFIX) ? decoded.replaceAll(KEY_LIKE, `${PREFIX}…`) : text;
}

/** What the store knows a key by. The key itself is stored nowhere. */
export function digestOf(token: string): string {
  return hash('sha256', token);
}

function checksum(secret: string): string {
  let rest = crc32(secret);
  let digits = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) {
    digits = ALPHABET.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

function randomBase62(length: number): string {
  return Array.from({ length }, () => ALPHABET.charAt(randomInt(62))).join('');
}
