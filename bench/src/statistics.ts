/** A figure of several rounds; NaN, and shown as a dash, where it could not be measured. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number) => (values.some(Number.isNaN) ? Number.NaN : (sorted[index] ?? Number.NaN));
  const middle = sorted.length / 2;
  const median = (at(Math.ceil(middle) - 1) + at(Math.floor(middle))) / 2;
  return { median, min: at(0), max: at(sorted.length - 1) };
}

/** What `a` is of `b`, round by round, so that what slows a whole round down counts for both. */
export function ratioOf(a: readonly number[], b: readonly number[]): Spread {
  return spreadOf(a.map((value, round) => value / (b[round] ?? Number.NaN)));
}

/** Three significant digits, in plain notation. */
export function format(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return Number(value.toPrecision(3)).toString();
}

export function formatRatio(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return value.toFixed(value < 9.995 ? 2 : 1);
}

export function formatSpread({ median, min, max }: Spread, one = format): string {
  if (!Number.isFinite(median)) return '–';
  return `${one(median)} (${one(min)}–${one(max)})`;
}
