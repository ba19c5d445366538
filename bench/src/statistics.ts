/** A figure of several rounds. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Throws where there is no value. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (min === undefined || max === undefined) throw new Error('there is nothing to take the median of');
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? max;
  const lower = sorted[Math.ceil(middle) - 1] ?? min;
  return { median: (lower + upper) / 2, min, max };
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

/** The values that could be measured; a dash where none could. */
export function formatKnown(values: readonly (number | undefined)[]): string {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? '–' : formatSpread(spreadOf(known));
}
