import { errorTexts } from '@contract-kit/core/errors';
import { invalidRequest } from '../http/api-error.ts';

/** Matches the numbers of a JSON text, and its strings, which may contain digits. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gs;
/** RFC 8259 §6. */
const PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/;
/** Spelled out, because V8 then skips sixteen characters at a time. */
const SIXTEEN_DIGITS = new RegExp('[\\d.]'.repeat(16));

/** The most levels of a JSON value: a check of it calls itself for each. */
const MOST_LEVELS = 100;

/**
 * The value of a JSON text. Throws an ApiError if it is nested too deeply or has a number that would be rounded, or with
 * `fault` if it is not JSON; its violation is of `parameter`.
 */
export function jsonIn(text: string, fault: string, parameter?: string): unknown {
  const reject = (message: string, violation: string) =>
    invalidRequest(message, parameter === undefined ? [] : [{ parameter, pointer: '', message: violation }]);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw reject(fault, 'must be JSON');
  }
  const levels = `must have at most ${MOST_LEVELS} levels`;
  if (isDeeper(value, MOST_LEVELS)) throw reject(errorTexts.tooDeep(levels), levels);
  const rounded = roundedNumberIn(text);
  if (rounded !== undefined) {
    const number = rounded.slice(0, 40);
    throw reject(errorTexts.wouldBeRounded(number), `has the number ${number}, which would be rounded`);
  }
  return value;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}

/** The first number of a JSON text that JSON.parse would round to an integer or to Infinity (RFC 8259 §6). */
export function roundedNumberIn(json: string): string | undefined {
  if (!isSuspect(json)) return undefined;
  // One by one: the matches of a long text may not fit into memory.
  for (const [token] of json.matchAll(TOKEN)) if (token[0] !== '"' && isRounded(token)) return token;
  return undefined;
}

/** Whether parsing `number` gives another whole number, or Infinity. */
export function isRounded(number: string): boolean {
  const value = Number(number);
  if (!Number.isFinite(value)) return true;
  if (!isSuspect(number) || !Number.isInteger(value)) return false;
  // The exact value of the double, or its short form if that is unambiguous.
  return ![String(BigInt(value)), String(value)].map(canonical).includes(canonical(number));
}

/** Other numbers cannot be rounded to a whole one. */
function isSuspect(json: string): boolean {
  return SIXTEEN_DIGITS.test(json) || /\d[eE]/.test(json);
}

/** The digits of a number without surrounding zeros, and its exponent. */
function canonical(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = PARTS.exec(number) ?? [];
  const digits = whole + fraction;
  let [start, end] = [0, digits.length];
  while (digits[start] === '0') start += 1;
  while (end > start && digits[end - 1] === '0') end -= 1;
  if (start === end) return '0';
  return `${sign}${digits.slice(start, end)}e${Number(exponent) + whole.length - start}`;
}
