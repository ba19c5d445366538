import { JSON_LIMIT } from '@contract-kit/core/http';

/** The most bytes of a message for tools, which may have a body of `largest` bytes in base64 (RFC 4648 §4). */
export function messageLimit(largest: number): number {
  return largest > JSON_LIMIT ? JSON_LIMIT + Math.ceil((largest * 4) / 3) : JSON_LIMIT;
}
