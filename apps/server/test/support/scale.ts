/** The size of a trial by numbers: `npm run test:full` takes the time that `npm test` does not have. */
export function scaled({ usually, full }: { usually: number; full: number }): number {
  return process.env['PETSTORE_TEST_SCALE'] === 'full' ? full : usually;
}
