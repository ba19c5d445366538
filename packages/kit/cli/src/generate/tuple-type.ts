import { createRequire } from 'node:module';
import { isObject, type JsonObject } from '@contract-kit/core/json';
import type * as Typescript from 'typescript';
import type { TypeNode } from 'typescript';

// Not `import`, for which Node.js searches all of TypeScript for its exports.
const { factory, SyntaxKind } = createRequire(import.meta.url)('typescript') as typeof Typescript;

/**
 * The type of a list with `prefixItems`: the first `minItems` are always there, and what follows them has the type of
 * `items` or `unevaluatedItems` (JSON Schema 2020-12 core §10.3.1, §11.2). openapi-typescript would close it.
 */
export function tupleType(schema: JsonObject, typeOf: (schema: unknown) => TypeNode): TypeNode {
  const {
    prefixItems,
    items,
    unevaluatedItems,
    minItems = 0,
    maxItems = Infinity,
  } = schema as {
    readonly prefixItems: readonly unknown[];
    readonly items?: unknown;
    readonly unevaluatedItems?: unknown;
    readonly minItems?: number;
    readonly maxItems?: number;
  };
  const first = prefixItems.slice(0, maxItems).map((item, index) => {
    const type = typeOf(item);
    return index < minItems ? type : factory.createOptionalTypeNode(type);
  });
  const isClosed = items === false || unevaluatedItems === false || maxItems <= prefixItems.length;
  const following = items ?? unevaluatedItems;
  const others = isObject(following)
    ? typeOf(following)
    : factory.createKeywordTypeNode(SyntaxKind.UnknownKeyword);
  const rest = factory.createRestTypeNode(factory.createArrayTypeNode(others));
  const tuple = factory.createTupleTypeNode(isClosed ? first : [...first, rest]);
  const isNullable = [schema['type']].flat().includes('null');
  const nothing = factory.createLiteralTypeNode(factory.createNull());
  return isNullable ? factory.createUnionTypeNode([tuple, nothing]) : tuple;
}
