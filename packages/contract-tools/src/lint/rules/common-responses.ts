import type { Rule } from '../rule.ts';

const COMMON = ['400', '401', '429', '500', '503'];

/** What the pipeline may answer in place of any handler, every operation must declare. */
export const commonResponses: Rule = () => ({
  Operation({ responses }, { report, location }) {
    const missing = COMMON.filter((status) => !(status in (responses ?? {})));
    if (missing.length === 0) return;
    report({
      message: `every operation declares the responses ${COMMON.join(', ')}: missing ${missing.join(', ')}`,
      location: location.child('responses').key(),
    });
  },
});
