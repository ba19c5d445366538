import type { Contract, Json, Problem } from '../contract.ts';
import { walk } from '../support/walk.ts';

/** An id is `id`, or ends in a word of its own that is: `petId`, not `paid`, and not the header `X-Request-Id`. */
const ID = /^id$|[a-z0-9]Id$/;

/** Ids have one type everywhere, so that one that was read can be sent back. */
export function* checkIds(contract: Contract): Iterable<Problem> {
  for (const { kind, value, pointer } of walk(contract.document).places) {
    if (kind === 'Parameter' && isWrong(contract, value.name, value.schema))
      yield contract.problemAt([...pointer, 'schema'], ask(`parameter ${value.name}`));
    for (const [name, schema] of Object.entries<Json>(kind === 'Schema' ? (value.properties ?? {}) : {})) {
      if (isWrong(contract, name, schema))
        yield contract.problemAt([...pointer, 'properties', name], ask(`property ${name}`));
    }
  }
}

function isWrong(contract: Contract, name: string, schema: Json): boolean {
  return ID.test(name) && !isInt64(contract, schema);
}

function isInt64(contract: Contract, given: Json): boolean {
  const { type, format, allOf = [] } = contract.resolve(given) ?? {};
  return (type === 'integer' && format === 'int64') || allOf.some((part: Json) => isInt64(contract, part));
}

function ask(what: string): string {
  return `the ${what} is an id and must be { type: integer, format: int64 }`;
}
