import type { Impact } from './change.ts';

/** A released version, or one that may become one: three numbers and nothing else. */
export type Version = readonly [major: number, minor: number, patch: number];

export function parseVersion(text: unknown): Version | undefined {
  const match = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(String(text));
  return match ? [Number(match[1]), Number(match[2]), Number(match[3])] : undefined;
}

/** Below 0 if `a` comes before `b`, above 0 if it comes after. */
export function compareVersions(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

/** The lowest version that may follow `version` with changes of `impact`. */
export function nextVersion([major, minor, patch]: Version, impact: Impact | undefined): Version {
  if (impact === 'major') return [major + 1, 0, 0];
  if (impact === 'minor') return [major, minor + 1, 0];
  if (impact === 'patch') return [major, minor, patch + 1];
  return [major, minor, patch];
}
