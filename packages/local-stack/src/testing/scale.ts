/** The size of a test: `npm run test:full` uses larger ones than `npm test`. */
export function scaled<Size>({ usually, full }: { usually: Size; full: Size }): Size {
  return process.env['TEST_SCALE'] === 'full' ? full : usually;
}
