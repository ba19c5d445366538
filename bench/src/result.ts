import type { Measured } from './rounds.ts';
import { format, formatRatio, formatSpread, ratioOf, spreadOf, type Spread } from './statistics.ts';

/** What a part found out. */
export interface PartResult {
  readonly title: string;
  readonly tables: readonly Table[];
  readonly claims: readonly Claim[];
  /** What a reader must know to read the figures. */
  readonly notes?: readonly string[];
  /** Ratios to `node:http` for the chart. */
  readonly bars?: readonly Bar[];
}

export interface Bar {
  readonly name: string;
  readonly ratio: Spread;
}

export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A target, and whether it was met; undefined where it could not be measured. */
export interface Claim {
  readonly subject: string;
  readonly target: string;
  readonly measured: string;
  readonly met: boolean | undefined;
}

export function atLeast(subject: string, target: number, what: string, ratio: Spread): Claim {
  return {
    subject,
    target: `≥ ${target} × ${what}`,
    measured: formatSpread(ratio, formatRatio),
    met: Number.isNaN(ratio.median) ? undefined : ratio.median >= target,
  };
}

/** That one server takes so much less CPU time than another, which a busy machine disturbs less than the speed. */
export function atLeastAsFast(
  subject: string,
  target: number,
  measured: readonly Measured[],
  [a, b]: readonly [string, string],
  what = b,
): Claim {
  const claim = atLeast(subject, target, what, cpuRatio(measured, b, a));
  const bySpeed = formatSpread(speedRatio(measured, a, b), formatRatio);
  return { ...claim, measured: `${claim.measured}; by requests/s ${bySpeed}` };
}

export function atMost(
  subject: string,
  target: number,
  unit: string,
  spread: Spread,
  one: (value: number) => string = formatRatio,
): Claim {
  return {
    subject,
    target: `≤ ${target} ${unit}`,
    measured: formatSpread(spread, one),
    met: Number.isNaN(spread.median) ? undefined : spread.median <= target,
  };
}

export function perSecond({ samples }: Measured): number[] {
  return samples.map((sample) => sample.perSecond);
}

/** The subject of this name. */
export function named<Subject extends { name: string }>(measured: readonly Subject[], name: string): Subject {
  const found = measured.find((each) => each.name === name);
  if (!found) throw new Error(`${name} was not measured`);
  return found;
}

/** How fast `a` is, in terms of `b`, in the same rounds. */
export function speedRatio(measured: readonly Measured[], a: string, b: string): Spread {
  return ratioOf(perSecond(named(measured, a)), perSecond(named(measured, b)));
}

/** The figures of servers under the same load, in relation to the one named `base`. */
export function throughputTable(measured: readonly Measured[], base: string): Table {
  return {
    head: ['', `of ${base}`, 'by CPU time', 'requests/s', 'p99 ms', 'CPU µs/request', 'peak memory MB'],
    rows: measured.map((each) => [
      each.name,
      formatSpread(speedRatio(measured, each.name, base), formatRatio),
      formatSpread(cpuRatio(measured, base, each.name), formatRatio),
      formatSpread(spreadOf(perSecond(each))),
      formatSpread(spreadOf(each.samples.map(({ p99 = Number.NaN }) => p99))),
      formatSpread(spreadOf(cpuOf(each))),
      format(Math.round(each.peakMemory / 1e6)),
    ]),
  };
}

/** CPU time per request, round by round. */
export function cpuOf({ samples }: Measured): number[] {
  return samples.map(({ cpu }) => cpu);
}

/** How much CPU time per request `a` takes, in terms of `b`; NaN where that is not known. */
export function cpuRatio(measured: readonly Measured[], a: string, b: string): Spread {
  return ratioOf(cpuOf(named(measured, a)), cpuOf(named(measured, b)));
}

const MUCH = 0.1;

/** Says so where other processes used much of the machine before it was measured. */
export function busyNote(share: number): string[] {
  if (share < MUCH) return [];
  return [
    `Other processes used up to ${Math.round(share * 100)} % of the machine: these figures are not to be relied on.`,
  ];
}

/** Says so where other processes used the server's core while it was measured. */
export function disturbanceNote(measured: readonly Measured[]): string[] {
  const parts = measured.flatMap(({ samples }) => samples.map(({ disturbance }) => disturbance || 0));
  const { median, max } = spreadOf(parts);
  if (max < 0.05) return [];
  const percent = (part: number) => `${Math.round(part * 100)} %`;
  return [
    `Other processes used ${percent(median)} of the server's core (at most ${percent(max)} in a round): read the CPU time.`,
  ];
}
