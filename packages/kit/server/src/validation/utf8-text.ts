import { invalidRequest } from '../http/api-error.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** JSON is UTF-8 (RFC 8259 §8.1). */
export function utf8Text(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw invalidRequest('The body must be text in UTF-8');
  }
}
