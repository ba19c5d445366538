import type { JsonObject } from '../json/index.ts';
import { ALL_OF, COMPOSITIONS, isComposition, UNIONS } from './keywords.ts';
import { REFERENCE, referenceIn } from './references.ts';
import type { Pointer } from './types.ts';

/** A schema within another, and the steps that lead to it. */
export interface Placed {
  readonly schema: unknown;
  readonly steps: Pointer;
}

/** Alternatives: exactly one holds if they exclude each other, at least one otherwise. */
export interface Union {
  readonly keyword: (typeof UNIONS)[number];
  readonly isExclusive: boolean;
  readonly branches: readonly Placed[];
}

/** What a schema is composed of, one level deep. */
export interface Composition {
  readonly reference: string | undefined;
  /** All of them hold. */
  readonly parts: readonly Placed[];
  /** Of each, an alternative holds. Exclusive ones come first. */
  readonly unions: readonly Union[];
  /** Its other keywords. */
  readonly own: JsonObject;
}

export function compositionOf(schema: JsonObject): Composition {
  const own = Object.entries(schema).filter(([keyword]) => keyword !== REFERENCE && !isComposition(keyword));
  const placed = (keyword: string): Placed[] | undefined => {
    const value = schema[keyword];
    return Array.isArray(value)
      ? value.map((child: unknown, index) => ({ schema: child, steps: [keyword, index] }))
      : undefined;
  };
  return {
    reference: referenceIn(schema),
    parts: placed(ALL_OF) ?? [],
    unions: UNIONS.flatMap((keyword) => {
      const branches = placed(keyword);
      return branches ? [{ keyword, isExclusive: keyword === 'oneOf', branches }] : [];
    }),
    own: Object.fromEntries(own),
  };
}

/** Whether a schema is more than its own keywords say. */
export function isComposed(schema: JsonObject): boolean {
  return REFERENCE in schema || COMPOSITIONS.some((keyword) => keyword in schema);
}

/** A schema whose values fit all of `parts`, and `own`. */
export function withParts(own: JsonObject, parts: readonly unknown[]): JsonObject {
  return { ...own, [ALL_OF]: parts };
}

/** A schema whose values fit at least one of `schemas`. */
export function eitherOf<Schema>(schemas: readonly Schema[]): Schema | JsonObject | undefined {
  return schemas.length > 1 ? { anyOf: schemas } : schemas[0];
}

/** `schema` with alternatives that need not exclude each other as one of its parts, if it has others of `keywords`. */
export function withUnionAsPart(schema: JsonObject, keywords: readonly string[]): JsonObject {
  const { anyOf, ...others } = schema;
  if (anyOf === undefined || !keywords.some((keyword) => keyword in others)) return schema;
  return withParts(others, [...((schema[ALL_OF] ?? []) as unknown[]), { anyOf }]);
}

/** `schema` with its reference as one of its parts, if it has other keywords. */
export function withReferenceAsPart(schema: JsonObject): JsonObject {
  const { [REFERENCE]: reference, ...siblings } = schema;
  if (reference === undefined || Object.keys(siblings).length === 0) return schema;
  return withParts({}, [{ [REFERENCE]: reference }, siblings]);
}
