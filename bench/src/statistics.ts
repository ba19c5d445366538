/** A figure from several rounds. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const middle = sorted.length / 2;
  const median = (at(Math.ceil(middle) - 1) + at(Math.floor(middle))) / 2;
  return { median, min: at(0), max: at(sorted.length - 1) };
}

/** `a` divided by `b` within each round, so that a slow round counts for both. */
export function ratios(a: readonly number[], b: readonly number[]): number[] {
  return a.map((value, round) => value / (b[round] ?? Number.NaN));
}

/** A mean with its 95 % confidence interval. */
export interface Estimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** The mean of at least two values, with Student's interval. */
export function estimate(values: readonly number[]): Estimate {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const margin = studentQuantile(count - 1) * Math.sqrt(squares / (count - 1) / count);
  return { mean, low: mean - margin, high: mean + margin };
}

/** The geometric mean of ratios, with the interval of their logarithms. */
export function estimateRatio(values: readonly number[]): Estimate {
  const { mean, low, high } = estimate(values.map(Math.log));
  return { mean: Math.exp(mean), low: Math.exp(low), high: Math.exp(high) };
}

/** The 97.5 % quantile of Student's distribution (Abramowitz and Stegun, 26.7.5); too small below 3 degrees. */
export function studentQuantile(degrees: number): number {
  const z = 1.959964;
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  return z + first / degrees + second / degrees ** 2 + third / degrees ** 3;
}

/** Three significant digits. */
export function format(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return Number(value.toPrecision(3)).toString();
}

export function formatRatio(value: number): string {
  return value.toFixed(value < 9.995 ? 2 : 1);
}

/** A 95 % interval. */
export function formatInterval({ low, high }: Estimate): string {
  return `${formatRatio(low)}–${formatRatio(high)}`;
}

export function formatSpread(values: readonly number[], one = format): string {
  const { median, min, max } = spreadOf(values);
  return `${one(median)} (${one(min)}–${one(max)})`;
}

/**
 * Whether the median of `plain` ratios is at least `target`, with the 95 % interval of their mean. If there are `adjusted`
 * ratios, without what the target leaves out, they are judged first.
 */
export function targetText(
  name: string,
  target: number,
  plain: readonly number[],
  adjusted?: readonly number[],
): string {
  const judged = (measured: readonly number[]) => {
    const { median } = spreadOf(measured);
    const interval = measured.length > 1 ? `, ${formatInterval(estimateRatio(measured))}` : '';
    return `${median >= target ? 'met' : '**missed**'} (${formatRatio(median)}${interval})`;
  };
  const first = adjusted
    ? `${judged(adjusted)} without the validator, ${judged(plain)} with it`
    : judged(plain);
  return `${name} ≥ ${target}: ${first}`;
}
