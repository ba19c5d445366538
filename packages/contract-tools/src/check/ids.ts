import type { Contract, Json, Problem } from '../contract.ts';
import { operationsOf } from '../operations.ts';
import { walk } from '../support/walk.ts';

/** An id is `id`, or ends in a word of its own that is: `petId`, not `paid`, and not the header `X-Request-Id`. */
const ID = /^id$|[a-z0-9]Id$/;

/** Ids have one type everywhere, so that one that was read can be sent back. */
export function* checkIds(contract: Contract): Iterable<Problem> {
  for (const { parameters } of operationsOf(contract)) {
    for (const { name, schema, pointer } of parameters) {
      if (ID.test(name) && !isInt64(contract, schema))
        yield contract.problemAt([...pointer, 'schema'], ask(`parameter ${name}`));
    }
  }
  for (const { kind, value, pointer } of walk(contract.document).places) {
    if (kind !== 'Schema') continue;
    for (const [name, schema] of Object.entries<Json>(value.properties ?? {})) {
      if (ID.test(name) && !isInt64(contract, schema))
        yield contract.problemAt([...pointer, 'properties', name], ask(`property ${name}`));
    }
  }
}

function isInt64(contract: Contract, given: Json): boolean {
  const { type, format, allOf = [] } = contract.resolve(given) ?? {};
  return (type === 'integer' && format === 'int64') || allOf.some((part: Json) => isInt64(contract, part));
}

function ask(what: string): string {
  return `the ${what} is an id and must be { type: integer, format: int64 }`;
}
