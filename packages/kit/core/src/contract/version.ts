/** The version of the packages of the kit, which have one: see `packages/kit/cli/test/version.test.ts`. */
export const VERSION = '0.1.0';

/** Whether code that another version generated fits this one: before 1.0.0, a minor version may change it. */
export function isFitting(generated: string, version: string = VERSION): boolean {
  const minor = (text: string) => text.split('.', 2).join('.');
  return minor(generated) === minor(version);
}
