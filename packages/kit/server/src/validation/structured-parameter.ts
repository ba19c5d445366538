import { isScalar, type Parameter, type Schemas } from '@kit/contract/model';
import { isObject, type JsonObject } from '@kit/contract/json-pointer';
import { isJson } from '@kit/contract/media-type';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { invalidRequest } from '../http/api-error.ts';
import { jsonIn } from './exact-number.ts';
import { defaultOf, OutOfBounds, scalarOf } from './scalar.ts';
import type { sentSchemas } from './sent-schemas.ts';

/** The depth of brackets in the name of a deepObject. */
const MAX_DEPTH = 5;

/** The parameters of a request as text. Names are decoded, values in paths and queries are not. */
export interface ParameterTexts {
  readonly path: Readonly<Record<string, string>>;
  readonly query: ReadonlyMap<string, readonly string[]>;
  /** One for each time that the header was sent. */
  readonly header: (name: string) => readonly string[];
  readonly cookie: (name: string) => readonly string[];
}

/** A parameter that express-openapi-validator misreads: styles, unions, cookies. */
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

export function structuredParameter(
  parameter: Parameter,
  schemas: Schemas,
  compile: ReturnType<typeof sentSchemas>,
): StructuredParameter {
  const { name, in: place, required, schema, style, explode, content } = parameter;
  const properties = schemas.possibleFieldsOf(schema);
  const kinds = schemas.typesOf(schema);
  const isList = kinds.has('array') && !kinds.has('object');
  const isRecord = kinds.has('object') && !isList;
  const isSpread = place === 'query' && isRecord && style === 'form' && explode && content === undefined;
  const others = schemas.othersOf(schema) ?? Object.keys(properties).length === 0;
  // An object that takes properties which it does not list.
  const isOpen = isSpread && others !== false;
  const items = schemas.whole(schemas.itemsOf(schema));
  // Its integers may have 64 bits, which JSON numbers cannot hold.
  const isInt64 =
    (isList ? items : schema)['format'] === 'int64' && (isList ? isScalar(items) : isScalar(schema));
  const itemTexts = isInt64 ? scalarOf(isList ? items : schema).textSchema : undefined;
  const validate = compile(isInt64 && isList ? { ...schema, items: itemTexts } : (itemTexts ?? schema));

  const decode = (text: string) => decoded(text, place);

  function structureOf(texts: ParameterTexts, isOther: (name: string) => boolean): unknown {
    if (isSpread) {
      const names = isOpen ? [...texts.query.keys()].filter((key) => !isOther(key)) : Object.keys(properties);
      return entries(names.map((key) => [key, texts.query.get(key)?.map(decode)]));
    }
    if (style === 'deepObject') return nested(name, texts.query);
    const sent = textsOf(texts, place, name);
    const all = place === 'header' && sent.length > 1 ? [sent.join()] : sent;
    if (all.length === 0) return undefined;
    if (content !== undefined) {
      const text = decode(all[0] ?? '');
      return isJson(content) ? jsonIn(text, `${name} must be JSON`) : text;
    }
    const raw = all.map((text) => unprefixed(text, name, style));
    const split = raw.flatMap((text) => {
      if (!isList && !isRecord) return [text];
      const items = text.split(separatorOf(style, explode));
      // RFC 9110 §5.6.1.
      return place === 'header' ? items.map((item) => item.trim()) : items;
    });
    const parts = (explode && place === 'query' ? raw : split).map(decode);
    if (isList) return parts.map((part) => (style === 'matrix' ? part.replace(`${name}=`, '') : part));
    if (!isRecord) return parts.length > 1 ? parts : parts[0];
    if (explode)
      return entries(parts.map((part) => [part.split('=', 1)[0] ?? '', [part.replace(/^[^=]*=/, '')]]));
    return entries(parts.flatMap((key, index) => (index % 2 === 0 ? [[key, [parts[index + 1] ?? '']]] : [])));
  }

  return {
    parameter,
    hasName: (sent) => {
      if (place !== 'query') return false;
      if (style === 'deepObject') return sent.startsWith(`${name}[`);
      return isSpread ? isOpen || Object.hasOwn(properties, sent) : sent === name;
    },
    read(texts, isOther) {
      const structure = structureOf(texts, isOther);
      if (structure === undefined) {
        if (required) throw invalidRequest(`${name} is missing`);
        return defaultOf(schema);
      }
      if (isInt64) {
        const value = isList
          ? (structure as string[]).map((item) => exact(name, items, item))
          : exact(name, schema, structure as string);
        if (!validate(structure)) throw invalidRequest(`${name} ${wrongIn(validate)}`);
        return value;
      }
      const value = content === undefined ? valued(structure, schema, schemas) : structure;
      if (validate(value)) return value;
      const wrong = wrongIn(validate);
      const [text, ...others] = [structure].flat() as unknown[];
      // One text may be no list, and text may look like a number.
      const isScalarToo = typeof text === 'string' && others.length === 0 && kinds.size > 1;
      const other = isScalarToo ? [typed(text, kinds), text].find((item) => validate(item)) : undefined;
      if (other === undefined) throw invalidRequest(`${name} ${wrong}`);
      return other;
    },
  };
}

function wrongIn({ errors }: ValidateFunction): string {
  const { instancePath = '', message = 'is invalid' } = errors?.at(-1) ?? {};
  return `${instancePath} ${message}`.trim();
}

function exact(name: string, schema: JsonObject, text: string): unknown {
  const { isText, read } = scalarOf(schema);
  const value = isText(text) ? read(text) : new OutOfBounds('a 64-bit decimal integer');
  if (value instanceof OutOfBounds) throw invalidRequest(`${name} must be ${value.wanted}`);
  return value;
}

/** An object of the sent values; a repeated name is a list. Not assignments: a name may be `__proto__`. */
function entries(all: readonly (readonly [string, readonly string[] | undefined])[]): JsonObject | undefined {
  const sent = all.flatMap(([key, texts]): [string, unknown][] =>
    texts === undefined || texts.length === 0 ? [] : [[key, texts.length === 1 ? texts[0] : texts]],
  );
  return sent.length > 0 ? Object.fromEntries(sent) : undefined;
}

/** `name[a][b]=c` as `{ a: { b: 'c' } }`. */
function nested(name: string, query: ParameterTexts['query']): JsonObject | undefined {
  let root: JsonObject | undefined;
  for (const [key, texts] of query) {
    if (!key.startsWith(`${name}[`)) continue;
    const steps = [...key.slice(name.length).matchAll(/\[([^\]]*)\]/g)].map(([, step = '']) => step);
    if (steps.length > MAX_DEPTH) throw invalidRequest(`${name} is nested too deeply`);
    root ??= Object.create(null) as JsonObject;
    let node = root;
    // `name[a][]` is a list of the texts.
    const names = steps.at(-1) === '' ? steps.slice(0, -1) : steps;
    for (const step of names.slice(0, -1)) {
      const inner = node[step];
      node = isObject(inner) ? inner : (node[step] = Object.create(null) as JsonObject);
    }
    const values = texts.map((text) => decoded(text, 'query'));
    node[names.at(-1) ?? ''] = values.length > 1 || steps.at(-1) === '' ? values : values[0];
  }
  return root;
}

/** `structure` with its text scalars converted to the types of `schema`. */
export function valued(structure: unknown, schema: unknown, schemas: Schemas): unknown {
  if (Array.isArray(structure)) {
    const items = schemas.itemsOf(schema);
    return structure.map((item) => valued(item, items, schemas));
  }
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

/** Removes the prefix of label and matrix (RFC 6570 §3.2.5, §3.2.7). */
function unprefixed(text: string, name: string, style: string): string {
  if (style === 'label') return text.replace(/^\./, '');
  return style === 'matrix' ? text.replace(/^;/, '').replace(`${name}=`, '') : text;
}

function separatorOf(style: string, explode: boolean): string | RegExp {
  if (style === 'pipeDelimited') return /\||%7c/i;
  if (style === 'spaceDelimited') return / |%20|\+/;
  if (!explode) return ',';
  return style === 'label' ? '.' : style === 'matrix' ? ';' : ',';
}

/** The texts sent for a parameter. Only one in a query or a header may have several. */
export function textsOf(texts: ParameterTexts, place: Parameter['in'], name: string): readonly string[] {
  if (place === 'path') return [texts.path[name] ?? ''];
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
