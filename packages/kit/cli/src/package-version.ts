/** The version of a contract in npm's form: `2.1` and `v2.1` are 2.1.0, and the date `2026-03-01` is 2026.3.1. */
export function packageVersion(version: string): string {
  const [, ...date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(version) ?? [];
  if (date.length > 0) return date.map(Number).join('.');
  const [, ...numbers] = /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?$/.exec(version) ?? [];
  if (numbers.length > 0) return numbers.map((number = '0') => String(Number(number))).join('.');
  // Other versions that npm rejects have no order either.
  return /^\d+\.\d+\.\d+-[\w.-]+$/.test(version) ? version : '0.0.0';
}
