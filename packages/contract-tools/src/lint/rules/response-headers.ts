import { follow, responsesOf, type Rule } from '../rule.ts';

const EVERY = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-Request-Id'];
const ALSO: Record<string, readonly string[]> = {
  '401': ['WWW-Authenticate'],
  '429': ['Retry-After'],
  '503': ['Retry-After'],
};

/** The headers a client may count on, whatever the answer: declared, and required. */
export const responseHeaders: Rule = () => ({
  Operation(operation, context) {
    for (const { status, response, place } of responsesOf(operation, context)) {
      for (const name of [...EVERY, ...(ALSO[status] ?? [])]) {
        const written = place.child(['headers', name]);
        const { value, place: definition } = follow(response.headers?.[name], written, context);
        if (value === undefined) {
          const location = response.headers === undefined ? place : place.child('headers').key();
          context.report({ message: `a ${status} must declare the header ${name}`, location });
        } else if (value.required !== true) {
          context.report({
            message: `the header ${name} of a ${status} must be required`,
            location: definition,
          });
        }
      }
    }
  },
});
