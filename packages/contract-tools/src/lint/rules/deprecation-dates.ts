import type { Json } from '../../contract.ts';
import type { Context, Rule } from '../rule.ts';

const DATES = ['x-deprecated-since', 'x-deprecated-sunset'];

/** Who still calls a deprecated operation must know since when it is, and for how long it works. */
export const deprecationDates: Rule = () => ({
  Operation(operation, context) {
    if (operation.deprecated !== true) return;
    const wrong = DATES.filter((key) => !isDate(operation[key]));
    for (const key of wrong)
      report(operation, key, `a deprecated operation needs ${key}: "YYYY-MM-DD"`, context);
    if (wrong.length === 0 && operation['x-deprecated-sunset'] <= operation['x-deprecated-since']) {
      report(operation, 'x-deprecated-sunset', 'the sunset must lie after x-deprecated-since', context);
    }
  },
});

function isDate(value: Json): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const time = Date.parse(value);
  // Date.parse takes 2027-02-30 for 2027-03-02.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

function report(operation: Json, key: string, message: string, context: Context): void {
  const place = operation[key] === undefined ? context.location.child('deprecated').key() : undefined;
  context.report({ message, location: place ?? context.location.child(key) });
}
