import type { Contract, Json, Pointer, Problem } from '../contract.ts';
import { operationsOf } from '../operations.ts';

/** An id is `id`, or ends in a word of its own that is: `petId`, not `paid`, and not the header `X-Request-Id`. */
const ID = /^id$|[a-z0-9]Id$/;

/** Ids have one type everywhere, so that one that was read can be sent back. */
export function* checkIds(contract: Contract): Iterable<Problem> {
  for (const { parameters } of operationsOf(contract)) {
    for (const { name, schema, pointer } of parameters) {
      if (ID.test(name) && !isInt64(schema))
        yield contract.problemAt([...pointer, 'schema'], ask(`parameter ${name}`));
    }
  }
  for (const [name, schema, pointer] of propertiesIn(contract.document, [])) {
    if (ID.test(name) && !isInt64(contract.resolve(schema)))
      yield contract.problemAt(pointer, ask(`property ${name}`));
  }
}

function* propertiesIn(
  node: Json,
  pointer: Pointer,
): Iterable<[name: string, schema: Json, pointer: Pointer]> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, child] of Object.entries<Json>(node)) {
    if (key === 'example' || key === 'examples') continue;
    if (key === 'properties') {
      for (const [name, schema] of Object.entries<Json>(child)) yield [name, schema, [...pointer, key, name]];
    }
    yield* propertiesIn(child, [...pointer, key]);
  }
}

function isInt64(schema: Json): boolean {
  return schema?.type === 'integer' && schema.format === 'int64';
}

function ask(what: string): string {
  return `the ${what} is an id and must be { type: integer, format: int64 }`;
}
