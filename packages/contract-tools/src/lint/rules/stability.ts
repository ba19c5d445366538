import type { Rule } from '../rule.ts';

const KEY = 'x-stability';

/** An operation is experimental, beta or, without a marker, stable. */
export const stability: Rule = () => ({
  Operation(operation, { report, location }) {
    if (operation[KEY] === undefined || ['experimental', 'beta'].includes(operation[KEY])) return;
    report({
      message: `${KEY} must be experimental or beta: ${operation[KEY]}`,
      location: location.child(KEY),
    });
  },
});
