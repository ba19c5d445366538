import { INT64_WANTED, isObject, type JsonObject } from '@contract-kit/core/json';
import {
  parameterReader,
  type ParameterReader,
  type ParameterShape,
  type ParameterTexts,
  isJson,
} from '@contract-kit/core/http';
import { isScalar, type Parameter, type Schemas } from '@contract-kit/core/model';
import { jsonIn } from './exact-number.ts';
import { defaultOf, OutOfBounds, scalarOf } from './scalar.ts';
import type { sentSchemas } from './sent-schemas.ts';
import { invalidParameter, rejectionOf, type FoundViolation } from './violations.ts';

/** A parameter that express-openapi-validator misreads: objects, unions, lists outside of queries, other styles. */
export interface StructuredParameter {
  readonly parameter: Parameter;
  /** Whether a name in a query belongs to it. */
  readonly hasName: (name: string) => boolean;
  /**
   * Its value; undefined if it was not sent and has no default. `isOther` tells the names in a query that belong to other
   * parameters. Throws an ApiError if it is invalid.
   */
  readonly read: (texts: ParameterTexts, isOther: (name: string) => boolean) => unknown;
}

/** How a value in a style is read as texts, in lists and objects. */
export function structureReader(
  parameter: Pick<Parameter, 'name' | 'in' | 'schema' | 'style' | 'explode' | 'content'>,
  schemas: Schemas,
): ParameterReader {
  return parameterReader(parameter, shapeOf(parameter, schemas), (what, why) => {
    throw invalidParameter(what, why);
  });
}

function shapeOf(
  { schema, content }: Pick<Parameter, 'schema' | 'content'>,
  schemas: Schemas,
): ParameterShape {
  if (content !== undefined) return { kind: 'scalar' };
  const kinds = schemas.typesOf(schema);
  if (!kinds.has('object')) return { kind: kinds.has('array') ? 'list' : 'scalar' };
  const properties = Object.entries(schemas.possibleFieldsOf(schema));
  return {
    kind: 'object',
    fields: new Map(properties.map(([name, field]) => [name, schemas.typesOf(field).has('array')])),
    isOpen: (schemas.othersOf(schema) ?? properties.length === 0) !== false,
  };
}

export function structuredParameter(
  parameter: Parameter,
  schemas: Schemas,
  compile: ReturnType<typeof sentSchemas>,
): StructuredParameter {
  const { name, required, schema, written, content } = parameter;
  const reader = structureReader({ ...parameter, schema: written }, schemas);
  const kinds = schemas.typesOf(schema);
  const isList = kinds.has('array') && !kinds.has('object');
  const items = schemas.whole(schemas.itemsOf(schema));
  // Its integers may have 64 bits, which JSON numbers cannot hold.
  const isInt64 =
    (isList ? items : schema)['format'] === 'int64' && (isList ? isScalar(items) : isScalar(schema));
  const itemTexts = isInt64 ? scalarOf(isList ? items : schema).schema : undefined;
  // As it is written: a reference to what extends a base has the tags of that.
  const check = compile(isInt64 && isList ? { ...schema, items: itemTexts } : (itemTexts ?? written));

  return {
    parameter,
    hasName: reader.hasName,
    read(texts, isOther) {
      const sent = reader.read(texts, isOther);
      if (sent === undefined) {
        // An object none of whose fields is required may be sent as none of its fields.
        if (required && reader.isSpread && check({}).length === 0) return {};
        if (required) throw invalidParameter(name, 'is missing');
        return defaultOf({ ...schema, default: schemas.defaultOf(schema) });
      }
      const structure = content === undefined ? sent : contentIn(name, content, sent);
      if (isInt64) {
        const value = isList
          ? (structure as string[]).map((item) => exact(name, items, item))
          : exact(name, schema, structure as string);
        requireNone(name, check(structure));
        return value;
      }
      const value = content === undefined ? valued(structure, written, schemas) : structure;
      const violations = check(value);
      if (violations.length === 0) return value;
      const [text, ...others] = Array.isArray(structure) ? (structure as unknown[]) : [structure];
      // One text may be no list, and text may look like a number.
      const isScalarToo = typeof text === 'string' && others.length === 0 && kinds.size > 1;
      const other = isScalarToo
        ? [typed(text, kinds), text].find((item) => check(item).length === 0)
        : undefined;
      if (other === undefined) requireNone(name, violations);
      return other;
    },
  };
}

/** The first value counts. */
function contentIn(name: string, type: string, sent: unknown): unknown {
  const text = String(Array.isArray(sent) ? sent[0] : sent);
  return isJson(type) ? jsonIn(text, `${name} must be JSON`, name) : text;
}

function requireNone(name: string, violations: readonly FoundViolation[]): void {
  if (violations.length > 0)
    throw rejectionOf(violations.map((violation) => ({ ...violation, parameter: name })));
}

function exact(name: string, schema: JsonObject, text: string): unknown {
  const { isText, read } = scalarOf(schema);
  const value = isText(text) ? read(text) : new OutOfBounds(INT64_WANTED);
  if (value instanceof OutOfBounds) throw invalidParameter(name, `must be ${value.wanted}`);
  return value;
}

/** `structure` with its text scalars converted to the types of `schema`. */
export function valued(structure: unknown, schema: unknown, schemas: Schemas): unknown {
  if (Array.isArray(structure)) {
    const items = schemas.itemsOf(schema);
    return structure.map((item) => valued(item, items, schemas));
  }
  // `lines[0][sku]`: the steps of a list are its indexes.
  if (isObject(structure) && [...schemas.typesOf(schema)].join() === 'array')
    return valued(inOrder(structure), schema, schemas);
  if (isObject(structure)) {
    const properties = schemas.possibleFieldsOf(schema);
    const others = schemas.othersOf(schema);
    return Object.fromEntries(
      Object.entries(structure).map(([key, value]) => [
        key,
        valued(value, Object.hasOwn(properties, key) ? properties[key] : others, schemas),
      ]),
    );
  }
  const text = String(structure);
  const types = schemas.typesOf(schema);
  if (types.has('array')) return valued(text.split(','), schema, schemas);
  return typed(text, types);
}

function inOrder(structure: JsonObject): unknown[] {
  const items = Object.entries(structure).sort(([a], [b]) => Number(a) - Number(b));
  return items.map(([, item]) => item);
}

/** A text as the first of `types` that it can be. */
function typed(text: string, types: ReadonlySet<string>): unknown {
  if (types.has('null') && text === '') return null;
  for (const type of ['integer', 'number', 'boolean']) {
    if (!types.has(type)) continue;
    const { isText, read } = scalarOf({ type });
    if (isText(text)) return read(text);
  }
  return text;
}
