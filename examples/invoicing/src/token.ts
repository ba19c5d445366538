import { createHmac, timingSafeEqual } from 'node:crypto';

/** The claims of a token (RFC 7519). */
export interface Token {
  readonly sub: string;
  readonly tenants: readonly string[];
  /** In seconds. */
  readonly exp: number;
}

const HEADER = encode({ alg: 'HS256', typ: 'JWT' });

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function signatureOf(text: string, key: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

export function signToken(token: Token, key: string): string {
  const text = `${HEADER}.${encode(token)}`;
  return `${text}.${signatureOf(text, key).toString('base64url')}`;
}

/** What a token says; undefined if this key has not signed it. */
export function readToken(text: string, key: string): Token | undefined {
  const [header, claims, signature] = text.split('.');
  if (header !== HEADER || claims === undefined || signature === undefined) return undefined;
  const expected = signatureOf(`${header}.${claims}`, key);
  const actual = Buffer.from(signature, 'base64url');
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined;
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as Token;
}
