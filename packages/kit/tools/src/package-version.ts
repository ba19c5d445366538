/** The version of a contract in npm's form: `2.1` and `v2.1` are 2.1.0. */
export function packageVersion(version: string): string {
  const [, ...numbers] = /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?$/.exec(version) ?? [];
  if (numbers.length > 0) return numbers.map((number = '0') => String(Number(number))).join('.');
  // Other versions that npm rejects have no order either.
  return /^\d+\.\d+\.\d+-[\w.-]+$/.test(version) ? version : '0.0.0';
}
