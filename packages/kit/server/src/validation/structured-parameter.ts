import { INT64_WANTED } from '@contract-kit/core/int64';
import { isScalar, type Parameter, type Schemas } from '@contract-kit/core/model';
import { isObject, type JsonObject } from '@contract-kit/core/json-pointer';
import { isJson } from '@contract-kit/core/media-type';
import { jsonIn } from './exact-number.ts';
import { defaultOf, OutOfBounds, scalarOf } from './scalar.ts';
import type { sentSchemas } from './sent-schemas.ts';
import { invalidParameter, rejectionOf, type Violation } from './violations.ts';

/** The depth of brackets in the name of a deepObject. */
const MAX_DEPTH = 5;
/** `[a][b]` in the name of a deepObject. */
const STEPS = /^(?:\[[^\]]*\])+$/;

/** The parameters of a request as text. Names are decoded, values in paths and queries are not. */
export interface ParameterTexts {
  readonly path: Readonly<Record<string, string>>;
  readonly query: ReadonlyMap<string, readonly string[]>;
  /** One for each time that the header was sent. */
  readonly header: (name: string) => readonly string[];
  /** One for each cookie of the name: the first one counts, except in lists. */
  readonly cookie: (name: string) => readonly string[];
}

/** A value in a style, in one of the places of parameters. */
type Written = Pick<Parameter, 'name' | 'in' | 'schema' | 'style' | 'explode' | 'content'>;

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

/** How a value in a style is read as texts, in lists and objects: undefined if it was not sent. */
export function structureReader(
  { name, in: place, schema, style, explode, content }: Written,
  schemas: Schemas,
): Pick<StructuredParameter, 'hasName'> & {
  readonly isSpread: boolean;
  readonly structureOf: StructuredParameter['read'];
} {
  const properties = schemas.possibleFieldsOf(schema);
  const kinds = schemas.typesOf(schema);
  const isList = kinds.has('array') && !kinds.has('object');
  const isRecord = kinds.has('object') && !isList;
  const isPlainCookie = style === 'cookie';
  const isSpread =
    isRecord &&
    explode &&
    content === undefined &&
    (isPlainCookie || (place === 'query' && style === 'form'));
  const others = schemas.othersOf(schema) ?? Object.keys(properties).length === 0;
  // An object that takes properties which it does not list.
  const isOpen = isSpread && place === 'query' && others !== false;

  const decode = (text: string) => (isPlainCookie ? text : decoded(text, place));

  function structureOf(texts: ParameterTexts, isOther: (name: string) => boolean): unknown {
    if (isSpread) {
      const names = isOpen ? [...texts.query.keys()].filter((key) => !isOther(key)) : Object.keys(properties);
      const isRepeated = (key: string) => schemas.typesOf(properties[key]).has('array');
      return entries(
        names.map((key) => [key, textsOf(texts, place, key).map(decode)]),
        isRepeated,
      );
    }
    if (style === 'deepObject') return nested(name, texts.query);
    const sent = isPlainCookie && explode && isList ? texts.cookie(name) : textsOf(texts, place, name);
    const all = place === 'header' && sent.length > 1 ? [sent.join()] : sent;
    if (all.length === 0) return undefined;
    if (content !== undefined) {
      const text = decode(all[0] ?? '');
      return isJson(content) ? jsonIn(text, `${name} must be JSON`) : text;
    }
    const split = all.flatMap((text) => {
      if (style === 'label' || style === 'matrix') return unprefixed(text, name, style, explode, isList);
      if (!isList && !isRecord) return [text];
      const items = text.split(separatorOf(style));
      // RFC 9110 §5.6.1.
      return place === 'header' ? items.map((item) => item.trim()) : items;
    });
    const parts = (explode && (place === 'query' || isPlainCookie) ? all : split).map(decode);
    if (isList) return parts;
    if (!isRecord) return parts.length > 1 ? parts : parts[0];
    if (explode)
      return entries(parts.map((part) => [part.split('=', 1)[0] ?? '', [part.replace(/^[^=]*=/, '')]]));
    return entries(parts.flatMap((key, index) => (index % 2 === 0 ? [[key, [parts[index + 1] ?? '']]] : [])));
  }

  return {
    isSpread,
    structureOf,
    hasName: (sent) => {
      if (place !== 'query') return false;
      if (style === 'deepObject') return sent.startsWith(name) && STEPS.test(sent.slice(name.length));
      return isSpread ? isOpen || Object.hasOwn(properties, sent) : sent === name;
    },
  };
}

export function structuredParameter(
  parameter: Parameter,
  schemas: Schemas,
  compile: ReturnType<typeof sentSchemas>,
): StructuredParameter {
  const { name, required, schema, written, content } = parameter;
  const { isSpread, structureOf, hasName } = structureReader({ ...parameter, schema: written }, schemas);
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
    hasName,
    read(texts, isOther) {
      const structure = structureOf(texts, isOther);
      if (structure === undefined) {
        // An object none of whose fields is required may be sent as none of its fields.
        if (required && isSpread && check({}).length === 0) return {};
        if (required) throw invalidParameter(name, 'is missing');
        return defaultOf({ ...schema, default: schemas.defaultOf(schema) });
      }
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
      const [text, ...others] = [structure].flat() as unknown[];
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

function requireNone(name: string, violations: readonly Violation[]): void {
  if (violations.length > 0)
    throw rejectionOf(violations.map((violation) => ({ ...violation, parameter: name })));
}

function exact(name: string, schema: JsonObject, text: string): unknown {
  const { isText, read } = scalarOf(schema);
  const value = isText(text) ? read(text) : new OutOfBounds(INT64_WANTED);
  if (value instanceof OutOfBounds) throw invalidParameter(name, `must be ${value.wanted}`);
  return value;
}

/** An object of the sent values; a repeated name is a list. Not assignments: a name may be `__proto__`. */
function entries(
  all: readonly (readonly [string, readonly string[] | undefined])[],
  isList: (key: string) => boolean = () => false,
): JsonObject | undefined {
  const sent = all.flatMap(([key, texts]): [string, unknown][] => {
    if (texts === undefined || texts.length === 0) return [];
    return [[key, texts.length === 1 && !isList(key) ? texts[0] : texts]];
  });
  return sent.length > 0 ? Object.fromEntries(sent) : undefined;
}

/** `name[a][b]=c` as `{ a: { b: 'c' } }`. */
function nested(name: string, query: ParameterTexts['query']): JsonObject | undefined {
  let root: JsonObject | undefined;
  for (const [key, texts] of query) {
    if (!key.startsWith(name) || !STEPS.test(key.slice(name.length))) continue;
    const steps = [...key.slice(name.length).matchAll(/\[([^\]]*)\]/g)].map(([, step = '']) => step);
    if (steps.length > MAX_DEPTH) throw invalidParameter(name, 'is nested too deeply');
    root ??= Object.create(null) as JsonObject;
    let node = root;
    // `name[a][]` is a list of the texts.
    const names = steps.at(-1) === '' ? steps.slice(0, -1) : steps;
    const last = names.at(-1) ?? '';
    for (const step of names.slice(0, -1)) {
      const inner = (node[step] ??= Object.create(null) as JsonObject);
      if (!isObject(inner)) throw invalidParameter(`${name}[${step}]`, 'is a value and an object');
      node = inner;
    }
    if (last in node) throw invalidParameter(`${name}[${last}]`, 'is sent twice');
    const values = texts.map((text) => decoded(text, 'query'));
    node[last] = values.length > 1 || steps.at(-1) === '' ? values : values[0];
  }
  return root;
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

/** The values of a text in the style label or matrix, without their prefixes (RFC 6570 §3.2.5, §3.2.7). */
function unprefixed(text: string, name: string, style: string, explode: boolean, isList: boolean): string[] {
  const sign = style === 'label' ? '.' : ';';
  const prefix = style === 'label' ? sign : `;${name}=`;
  const written = explode && isList ? text.split(sign).slice(1) : [text.slice(1)];
  const wanted = prefix.slice(1);
  if (!text.startsWith(sign) || !written.every((part) => part.startsWith(wanted)))
    throw invalidParameter(name, `must be written as ${prefix}value`);
  const values = written.map((part) => part.slice(wanted.length));
  return isList && !explode ? values.flatMap((value) => value.split(',')) : values;
}

function separatorOf(style: string): string | RegExp {
  if (style === 'pipeDelimited') return /\||%7c/i;
  return style === 'spaceDelimited' ? / |%20|\+/ : ',';
}

/** The texts sent for a parameter. Only one in a query or a header may have several. */
export function textsOf(texts: ParameterTexts, place: Parameter['in'], name: string): readonly string[] {
  if (place === 'path') return [texts.path[name] ?? ''];
  if (place === 'cookie') return texts.cookie(name).slice(0, 1);
  return place === 'query' ? (texts.query.get(name) ?? []) : texts[place](name);
}

export function decoded(text: string, place: string): string {
  if (place === 'query') return decodeURIComponent(text.replaceAll('+', ' '));
  if (place === 'path') return decodeURIComponent(text);
  if (place !== 'cookie' || !text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    // A cookie may hold a percent sign that encodes nothing (RFC 6265 §4.1.1).
    return text;
  }
}
