import type { Json } from '../../contract.ts';
import { responsesOf, type Rule } from '../rule.ts';

const ERROR = '#/components/schemas/Error';

/** A client reads every failure the same way: as Error, in JSON, and as nothing else. */
export const errorBody: Rule = () => ({
  Operation(operation, context) {
    for (const { status, response, place } of responsesOf(operation, context)) {
      if (!/^[45]/.test(status) || isError(response.content)) continue;
      context.report({
        message: `the body of a ${status} must be Error as application/json, and nothing else`,
        location: response.content === undefined ? place : place.child('content').key(),
      });
    }
  },
});

function isError(content: Json): boolean {
  const media = Object.keys(content ?? {});
  return media.join() === 'application/json' && content['application/json']?.schema?.$ref === ERROR;
}
