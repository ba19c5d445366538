import type { Json } from '../../contract.ts';
import { follow, type Rule } from '../rule.ts';

/** An id is `id`, or ends in a word of its own that is: `petId`, not `paid`, and not the header `X-Request-Id`. */
const ID = /^id$|[a-z0-9]Id$/;

/** Ids have one type everywhere, so that one that was read can be sent back. */
export const int64Ids: Rule = () => ({
  Schema({ properties }, context) {
    for (const [name, schema] of Object.entries<Json>(properties ?? {})) {
      const { value, place } = follow(schema, context.location.child(['properties', name]), context);
      if (!ID.test(name) || isInt64(value)) continue;
      context.report({ message: message(`property ${name}`), location: place });
    }
  },
  Parameter({ name, schema }, context) {
    if (!ID.test(name) || schema === undefined) return;
    const { value, place } = follow(schema, context.location.child('schema'), context);
    if (!isInt64(value)) context.report({ message: message(`parameter ${name}`), location: place });
  },
});

function isInt64(schema: Json): boolean {
  return schema?.type === 'integer' && schema.format === 'int64';
}

function message(what: string): string {
  return `the ${what} is an id and must be { type: integer, format: int64 }`;
}
