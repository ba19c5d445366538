import type { Json } from '../../contract.ts';
import { responsesOf, type Rule } from '../rule.ts';

/** Every body is shown by an example. That the example fits its schema is Redocly's own rule. */
export const responseExample: Rule = () => ({
  Operation(operation, context) {
    for (const { status, response, place } of responsesOf(operation, context)) {
      for (const [type, media] of Object.entries<Json>(response.content ?? {})) {
        if (media?.example !== undefined || Object.keys(media?.examples ?? {}).length > 0) continue;
        context.report({
          message: `the ${type} body of a ${status} needs an example`,
          location: place.child(['content', type]).key(),
        });
      }
    }
  },
});
