/**
 * Whether a name is probably a misspelt `meant`: they differ by one letter, or by two if it has ten or more, from the first
 * differing letter to the last. Case, `-` and `_` do not count.
 */
export function isNearName(name: string, meant: string): boolean {
  const [one, other] = [name, meant].map((item) => item.toLowerCase().replaceAll(/[-_]/g, '')) as [
    string,
    string,
  ];
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return Math.max(one.length, other.length) - start - end <= (other.length < 10 ? 1 : 2);
}
