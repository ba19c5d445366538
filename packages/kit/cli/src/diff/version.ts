import type { Impact } from './change.ts';

/** The numbers of a semantic version. */
export type Version = readonly [major: number, minor: number, patch: number];

const NUMBER = '(0|[1-9]\\d*)';
const SEMANTIC = new RegExp(`^${NUMBER}\\.${NUMBER}\\.${NUMBER}(-[\\w.-]+)?$`);

/** The numbers of a semantic version, and whether it is a pre-release. Undefined for others, such as `v1` and dates. */
export function parseVersion(
  text: unknown,
): { readonly numbers: Version; readonly isPrerelease: boolean } | undefined {
  const match = SEMANTIC.exec(String(text));
  if (!match) return undefined;
  return {
    numbers: [Number(match[1]), Number(match[2]), Number(match[3])],
    isPrerelease: match[4] !== undefined,
  };
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
