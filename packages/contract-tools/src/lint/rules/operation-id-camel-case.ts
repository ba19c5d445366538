import type { Rule } from '../rule.ts';

const CAMEL_CASE = /^[a-z][a-z0-9]*([A-Z][a-z0-9]*)*$/;

/** The operationId names handlers and client methods. That it is there at all is Redocly's own rule. */
export const operationIdCamelCase: Rule = () => ({
  Operation({ operationId }, { report, location }) {
    if (operationId === undefined || CAMEL_CASE.test(operationId)) return;
    report({
      message: `operationId must be camelCase, such as listOrders: ${operationId}`,
      location: location.child('operationId'),
    });
  },
});
