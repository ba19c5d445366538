import fc, { type Arbitrary } from 'fast-check';
import { VALID_KEY, type Keys } from './credentials.ts';
import type { Case } from './requests.ts';

interface Target {
  readonly keys: Keys;
  limitedKey(perMinute: number): Promise<string>;
  advance(milliseconds: number): void;
}

export interface ExhaustOptions {
  readonly target: Target;
  readonly seed: number;
  readonly attempt: (request: Case, keys: Keys) => Promise<string[]>;
  readonly fail: (request: Case, problems: readonly string[], keys: Keys) => void;
}

const QUOTA = 3;
/** Beyond twice the quota the key is banned: both refusals are to be seen. */
const REQUESTS = 3 * QUOTA;
const SAMPLES = 200;

/** Uses up the quota of a key: whatever it asks for after that is 429, be it valid or not. Stops at the first failure. */
export async function exhaust(
  cases: Arbitrary<Case>,
  { target, seed, attempt, fail }: ExhaustOptions,
): Promise<void> {
  const keys = { ...target.keys, valid: await target.limitedKey(QUOTA) };
  const withKey = fc.sample(cases, { seed, numRuns: SAMPLES }).filter(isCounted).slice(0, REQUESTS);
  for (const [index, request] of withKey.entries()) {
    const expected =
      index < QUOTA ? request : { ...refused(request), what: `${request.what}, beyond the quota` };
    const problems = await attempt(expected, keys);
    if (problems.length > 0) {
      fail(expected, problems, keys);
      return;
    }
  }
}

function refused(request: Case): Case {
  return { ...request, what: `${request.what}, beyond the quota`, statuses: [429], allow: undefined };
}

/** Whether it counts once and for the key: OPTIONS does not, and a HEAD is sent with its GET. */
function isCounted({ method, headers }: Case): boolean {
  const authorization = headers.filter(([name]) => name.toLowerCase() === 'authorization');
  return (
    !['OPTIONS', 'HEAD'].includes(method) &&
    authorization.length === 1 &&
    authorization[0]?.[1] === `Bearer ${VALID_KEY}`
  );
}
