/** RFC 8259 §6, as JavaScript writes numbers. */
const DECIMAL = /^(-?\d+)(?:\.(\d+))?(?:e([-+]\d+))?$/;

/**
 * Whether a number is a multiple of `step`, in decimal: 1070468.14 is one of 0.01, although no binary fraction is either.
 * The digits of a number are those that JavaScript writes.
 */
export function isMultipleOf(value: number | bigint, step: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return Number(value) % step === 0;
  if (typeof value === 'number' && !Number.isFinite(value)) return false;
  const [dividend, divisor] = [value, step].map(decimalOf) as [Decimal, Decimal];
  const places = Math.max(dividend.places, divisor.places);
  const scaled = ({ digits, places: own }: Decimal) => digits * 10n ** BigInt(places - own);
  return scaled(dividend) % scaled(divisor) === 0n;
}

/** `digits` / 10 ** `places`. */
interface Decimal {
  readonly digits: bigint;
  readonly places: number;
}

function decimalOf(value: number | bigint): Decimal {
  const [, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(String(value)) ?? [];
  return { digits: BigInt(whole + fraction), places: fraction.length - Number(exponent) };
}
