/** The size of a trial by numbers: `npm run test:full` takes the time that `npm test` does not have. */
export function scaled<Size>({ usually, full }: { usually: Size; full: Size }): Size {
  return process.env['TEST_SCALE'] === 'full' ? full : usually;
}
