import { compositionOf } from '@contract-kit/core/model';
import { type SourceDocument, type Json, type Problem, walk } from '@contract-kit/core/openapi';
import { typesOf } from '../support/rule.ts';

/** An id is `id`, or ends in the word `Id`: `bookId`, not `paid`, and not the header `X-Request-Id`. */
const ID = /^id$|[a-z0-9]Id$/;

/**
 * Ids are strings, or numbers that are always exact. Ids of one name have one type everywhere, so that an id that
 * was read can be sent back. The type of `id` alone may differ between objects.
 */
export function* checkIds(contract: SourceDocument): Iterable<Problem> {
  const known = new Map<string, string>();
  for (const { kind, value, pointer } of walk(contract.document).nodes) {
    const named: [string, Json][] =
      kind === 'Parameter'
        ? [[String(value.name), value.schema]]
        : Object.entries(kind === 'Schema' ? (value.properties ?? {}) : {});
    for (const [name, schema] of named.filter(([name]) => ID.test(name))) {
      const place = kind === 'Parameter' ? [...pointer, 'schema'] : [...pointer, 'properties', name];
      const what = `the ${kind === 'Parameter' ? 'parameter' : 'property'} ${name} is an id and`;
      const type = idType(contract, schema);
      const other = known.get(name) ?? type;
      if (type === undefined)
        yield contract.problemAt(place, `${what} must be { type: integer, format: int64 }, or text`);
      else if (type !== other)
        yield contract.problemAt(place, `${what} has one type everywhere: it is ${other} elsewhere`);
      if (type !== undefined && name !== 'id') known.set(name, other ?? type);
    }
  }
}

/** The type of an id, if it is allowed. */
function idType(contract: SourceDocument, given: Json): 'int64' | 'text' | undefined {
  const schema: Json = contract.resolve(given) ?? {};
  const types = typesOf(schema).join();
  if (types === 'string') return 'text';
  if (types === 'integer' && schema.format === 'int64') return 'int64';
  const { parts, unions } = compositionOf(schema);
  const inner = [...parts, ...unions.flatMap(({ branches }) => branches)];
  return inner.map((placed) => idType(contract, placed.schema)).find((type) => type !== undefined);
}
