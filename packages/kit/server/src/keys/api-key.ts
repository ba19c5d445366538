import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;

/** The format of a service's API keys. */
export interface ApiKeyFormat {
  /** A new API key: the prefix, 32 random base62 characters (190 bits), and their CRC-32 in 6 more. */
  generate(): string;
  /** The API key with `secret`, 32 base62 characters, as its random part. */
  keyOf(secret: string): string;
  /** Whether `token` is well-formed. Others are rejected without asking the store. */
  isWellFormed(token: string): boolean;
  /** `text` with every key in it truncated, in any case, also if percent-encoded. For logs and traces. */
  redact(text: string): string;
}

export function apiKeyFormat(prefix: string): ApiKeyFormat {
  const shape = new RegExp(`^${prefix}([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`);
  // In any case: a key in capital letters still says most of itself.
  const keyLike = new RegExp(`${prefix}[0-9a-z]+`, 'gi');
  const hasPrefix = new RegExp(prefix, 'i');
  const keyOf = (secret: string) => prefix + secret + checksum(secret);
  return {
    generate: () => keyOf(randomBase62(SECRET_LENGTH)),
    keyOf,
    isWellFormed(token) {
      const [, secret, sum] = shape.exec(token) ?? [];
      return secret !== undefined && checksum(secret) === sum;
    },
    redact(text) {
      const decoded = text.includes('%') ? decode(text) : text;
      if (decoded === undefined) return '…';
      return hasPrefix.test(decoded) ? decoded.replaceAll(keyLike, `${prefix}…`) : text;
    },
  };
}

/** What the id of a demonstration key begins with. The key keeps its id in backups and other databases. */
export const DEMO_KEY = 'demo_';

/** A short random identifier of a key. Not secret. */
export function generateKeyId(prefix = 'key_'): string {
  return prefix + randomBase62(12);
}

/** A percent-encoded ASCII character, also if its percent sign is encoded. */
const PERCENT_ENCODED = /%(?:25)*([0-7][\da-f])/gi;
const MAX_ENCODINGS = 5;

/** `text` without percent-encoded ASCII characters; undefined if they are encoded too often to tell. */
function decode(text: string, left = MAX_ENCODINGS): string | undefined {
  const decoded = text.replace(PERCENT_ENCODED, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  if (decoded === text) return text;
  return left === 0 ? undefined : decode(decoded, left - 1);
}

/** The stored form of a key. The key itself is never stored. */
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
