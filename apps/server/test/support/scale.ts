/** Whether trials run at their full size, which `npm test` has no time for. */
export const isFullScale = process.env['PETSTORE_TEST_SCALE'] === 'full';

/** The size of a trial. */
export function scaled({ usually, full }: { usually: number; full: number }): number {
  return isFullScale ? full : usually;
}
