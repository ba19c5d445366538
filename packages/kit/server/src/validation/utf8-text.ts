import { errorTexts } from '@contract-kit/core/errors';
import { invalidRequest } from '../http/api-error.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** JSON is UTF-8 (RFC 8259 §8.1). */
export function utf8Text(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw invalidRequest(errorTexts.NOT_UTF8);
  }
}

/** Text in `charset`, a name of the Encoding Standard. Throws an ApiError if `bytes` are not, or if the name is unknown. */
export function textIn(bytes: Buffer, charset: string | undefined, message: string): string {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    throw invalidRequest(message);
  }
}
