import { isObject, type JsonObject } from '../json/index.ts';
import type { PlacedParameter, ParameterStyle } from './parameters.ts';

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

/** What the texts of a parameter are read as. */
export interface ParameterShape {
  readonly kind: 'scalar' | 'list' | 'object';
  /** The fields of an object by their names: whether each is a list. */
  readonly fields?: ReadonlyMap<string, boolean>;
  /** Whether an object may have other fields. */
  readonly isOpen?: boolean;
}

export interface ParameterReader {
  /** Whether its fields are as if they were parameters of their names. */
  readonly isSpread: boolean;
  /** Whether a name in a query belongs to it. */
  readonly hasName: (name: string) => boolean;
  /** Its texts, in lists and objects: undefined if it was not sent. `isOther` tells names in a query that belong to others. */
  readonly read: (texts: ParameterTexts, isOther: (name: string) => boolean) => unknown;
}

/**
 * Reads what `writeParameter` writes, and what others write in the same styles. Calls `reject`, with the name of what is
 * wrong and why. A value in JSON, or in another media type, is a scalar.
 */
export function parameterReader(
  { name, in: place, style, explode }: PlacedParameter & ParameterStyle,
  { kind, fields = new Map<string, boolean>(), isOpen: hasOthers = false }: ParameterShape,
  reject: (what: string, why: string) => never,
): ParameterReader {
  const isList = kind === 'list';
  const isRecord = kind === 'object';
  const isRawCookie = style === 'cookie';
  const isSpread = isRecord && explode && (isRawCookie || (place === 'query' && style === 'form'));
  const isOpen = isSpread && place === 'query' && hasOthers;

  const decode = (text: string) => (isRawCookie ? text : decoded(text, place));

  function read(texts: ParameterTexts, isOther: (name: string) => boolean): unknown {
    if (isSpread) {
      const names = isOpen ? [...texts.query.keys()].filter((key) => !isOther(key)) : [...fields.keys()];
      return entries(
        names.map((key) => [key, textsOf(texts, place, key).map(decode)]),
        (key) => fields.get(key) === true,
      );
    }
    if (style === 'deepObject') {
      const found = nested(name, texts.query, reject);
      if (!isList || !found || !('' in found)) return found;
      return Object.keys(found).length > 1 ? reject(name, 'is a value and an object') : found[''];
    }
    const sent = isRawCookie && explode && isList ? texts.cookie(name) : textsOf(texts, place, name);
    const all = place === 'header' && sent.length > 1 ? [sent.join()] : sent;
    if (all.length === 0) return undefined;
    const split = all.flatMap((text) => {
      if (style === 'label' || style === 'matrix') return unprefixed(text);
      if (!isList && !isRecord) return [text];
      const items = text.split(separatorOf(style));
      // RFC 9110 §5.6.1.
      return place === 'header' ? items.map((item) => item.trim()) : items;
    });
    const parts = (explode && (place === 'query' || isRawCookie) ? all : split).map(decode);
    if (isList) return parts;
    if (!isRecord) return parts.length > 1 ? parts : parts[0];
    if (explode)
      return entries(parts.map((part) => [part.split('=', 1)[0] ?? '', [part.replace(/^[^=]*=/, '')]]));
    return entries(parts.flatMap((key, index) => (index % 2 === 0 ? [[key, [parts[index + 1] ?? '']]] : [])));
  }

  /** The values of a text in the style label or matrix, without their prefixes (RFC 6570 §3.2.5, §3.2.7). */
  function unprefixed(text: string): string[] {
    const sign = style === 'label' ? '.' : ';';
    const prefix = style === 'label' ? sign : `;${name}=`;
    const written = explode && isList ? text.split(sign).slice(1) : [text.slice(1)];
    const wanted = prefix.slice(1);
    if (!text.startsWith(sign) || !written.every((part) => part.startsWith(wanted)))
      reject(name, `must be written as ${prefix}value`);
    const values = written.map((part) => part.slice(wanted.length));
    return isList && !explode ? values.flatMap((value) => value.split(',')) : values;
  }

  return {
    isSpread,
    read,
    hasName: (sent) => {
      if (place !== 'query') return false;
      if (style === 'deepObject') return sent.startsWith(name) && STEPS.test(sent.slice(name.length));
      return isSpread ? isOpen || fields.has(sent) : sent === name;
    },
  };
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
function nested(
  name: string,
  query: ParameterTexts['query'],
  reject: (what: string, why: string) => never,
): JsonObject | undefined {
  let root: JsonObject | undefined;
  for (const [key, texts] of query) {
    if (!key.startsWith(name) || !STEPS.test(key.slice(name.length))) continue;
    const steps = [...key.slice(name.length).matchAll(/\[([^\]]*)\]/g)].map(([, step = '']) => step);
    if (steps.length > MAX_DEPTH) reject(name, 'is nested too deeply');
    root ??= Object.create(null) as JsonObject;
    let node = root;
    // `name[a][]` is a list of the texts.
    const names = steps.at(-1) === '' ? steps.slice(0, -1) : steps;
    const last = names.at(-1) ?? '';
    for (const step of names.slice(0, -1)) {
      const inner = (node[step] ??= Object.create(null) as JsonObject);
      if (!isObject(inner)) reject(`${name}[${step}]`, 'is a value and an object');
      node = inner;
    }
    if (last in node) reject(`${name}[${last}]`, 'is sent twice');
    const values = texts.map((text) => decoded(text, 'query'));
    node[last] = values.length > 1 || steps.at(-1) === '' ? values : values[0];
  }
  return root;
}

function separatorOf(style: string): string | RegExp {
  if (style === 'pipeDelimited') return /\||%7c/i;
  return style === 'spaceDelimited' ? / |%20|\+/ : ',';
}

/** The texts sent for a parameter. Only one in a query or a header may have several. */
export function textsOf(
  texts: ParameterTexts,
  place: PlacedParameter['in'],
  name: string,
): readonly string[] {
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

/** The values of a form by name, or of a query without its question mark, in linear time. `decode` throws if it cannot. */
export function pairTexts(
  pairs: string,
  decode: (text: string) => string,
  isKnown: (name: string) => boolean = () => true,
): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  for (const pair of pairs.split('&')) {
    if (pair === '') continue;
    const end = pair.indexOf('=');
    const name = decode(end === -1 ? pair : pair.slice(0, end));
    const text = end === -1 ? '' : pair.slice(end + 1);
    if (!isKnown(name)) continue;
    decode(text);
    const others = texts.get(name);
    if (others) others.push(text);
    else texts.set(name, [text]);
  }
  return texts;
}

/** The cookies of a name (RFC 6265 §4.2.1). */
export function cookieTexts(header: string, name: string): string[] {
  return header.split(';').flatMap((pair) => {
    const [own = '', ...rest] = pair.split('=');
    if (own.trim() !== name) return [];
    const text = rest.join('=').trim();
    return text.replace(/^"(.*)"$/, '$1');
  });
}
