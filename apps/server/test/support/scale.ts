/** The size of a trial: what `npm test` has time for, or the whole of it where PETSTORE_TEST_SCALE is "full". */
export function scaled({ usually, full }: { usually: number; full: number }): number {
  return process.env['PETSTORE_TEST_SCALE'] === 'full' ? full : usually;
}
