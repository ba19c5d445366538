import { hasExactNumbers, isObject } from '../json/index.ts';
import { essenceOf } from '../http/index.ts';
import {
  fieldStylesOf,
  isInJson,
  type Described,
  type MediaType,
  type Parameter,
  type Style,
} from '../model/index.ts';

/** What carries a value, which limits what it can be. */
export interface Place {
  readonly name: string;
  readonly carriesText: (text: string) => boolean;
  /** Whether it carries ASCII characters alone. */
  readonly isAscii: boolean;
  /** Whether it carries texts alone. */
  readonly isText?: boolean;
  /** Whether it carries scalars. */
  readonly isRecord?: boolean;
  /** The place of each item; undefined if it carries no lists. */
  readonly items?: Place;
  /** The place of each field; undefined if it carries no objects. */
  readonly fieldOf?: (name: string) => Place;
  /** Whether a list without items, or an object without fields, is told from nothing. */
  readonly carriesEmpty: { readonly list: boolean; readonly object: boolean };
  /** Whether texts in it that stand for bytes are base64. */
  readonly isOfParts?: boolean;
}

/** Half a surrogate pair has no encoding. */
const isWhole = (text: string) => !/\p{Cs}/u.test(text);

const FULL = { list: true, object: true };
const NOT_EMPTY = { list: false, object: false };

const JSON_PLACE: Place = {
  name: 'JSON',
  carriesText: isWhole,
  isAscii: false,
  get items() {
    return JSON_PLACE;
  },
  fieldOf: () => JSON_PLACE,
  carriesEmpty: FULL,
};

/** Without a character, there is no body. */
const TEXT: Place = {
  ...{ name: 'a text', isAscii: false, isText: true, carriesEmpty: NOT_EMPTY },
  carriesText: (text) => text !== '' && isWhole(text),
};

/** A parameter, a header, or a body in a media type; without its place, a value in JSON. */
export type PlacedPart = Partial<Parameter> | Described | MediaType | object;

export function placeOf(part: PlacedPart): Place {
  if ('kind' in part) return bodyPlace(part);
  if (!('style' in part) || part.style === undefined) return JSON_PLACE;
  const { in: place = 'header', style, explode = false, content, end } = part as Parameter;
  if (isInJson({ ...(content !== undefined && { content }) })) return JSON_PLACE;
  const found = content === undefined ? styledPlace(place, style, explode) : scalarPlace(place, style);
  return end === undefined ? found : endedBy(end, found);
}

/** A place in a path segment that ends where the text before the next parameter begins. */
function endedBy(end: string, place: Place): Place {
  const last = encodeURI(end);
  const isApart = (text: string) =>
    (encodeURIComponent(text) + last).indexOf(last, 1) >= encodeURIComponent(text).length;
  const carriesText = (text: string) => place.carriesText(text) && isApart(text);
  return { ...place, carriesText, ...(place.items && { items: endedBy(end, place.items) }) };
}

function bodyPlace(media: MediaType): Place {
  if (media.kind === 'bytes' || (media.kind === 'text' && !media.isScalar)) return TEXT;
  if (media.kind !== 'form') return JSON_PLACE;
  const styles = new Map(Object.entries(fieldStylesOf(media)));
  const isMultipart = essenceOf(media.type).startsWith('multipart/');
  // Clients rewrite the ends of lines (HTML §4.10.21.8).
  const carriesText = (text: string) => isWhole(text) && !(isMultipart && /[\r\n]/.test(text));
  const part: Place = {
    ...{ name: 'a form', isAscii: false, isOfParts: true, carriesText },
    fieldOf: () => JSON_PLACE,
    carriesEmpty: FULL,
  };
  const field: Place = { ...part, items: part, carriesEmpty: { list: false, object: true } };
  return {
    ...{ name: 'a form', isAscii: false, isRecord: true, carriesEmpty: NOT_EMPTY },
    carriesText: () => false,
    fieldOf(name) {
      const style = styles.get(name);
      return style ? styledPlace('query', style.style, style.explode) : field;
    },
  };
}

const TEXTS: Readonly<Record<string, (text: string) => boolean>> = {
  // An empty segment is another path, and URLs lose dot segments (RFC 3986 §5.2.4).
  path: (text) => isWhole(text) && !/^\.{0,2}$/.test(text),
  query: isWhole,
  // RFC 9110 §5.5.
  header: (text) => /^([!-~]([ -~]*[!-~])?)?$/.test(text),
  cookie: isWhole,
};

/** RFC 6265 §4.1.1. */
const COOKIE = /^[!#-+\--:<-[\]-~]*$/;

/** What separates items of a list, or fields, without being encoded inside them. */
const SEPARATORS: Readonly<Record<string, string>> = { pipeDelimited: '|', spaceDelimited: ' ', label: '.' };

function scalarPlace(place: string, style: Style): Place {
  const isOf = TEXTS[place] ?? isWhole;
  return {
    name: `a ${place}`,
    isAscii: place === 'header' || style === 'cookie',
    carriesText: style === 'cookie' ? (text) => COOKIE.test(text) : isOf,
    carriesEmpty: NOT_EMPTY,
  };
}

function styledPlace(place: string, style: Style, explode: boolean): Place {
  const scalar = scalarPlace(place, style);
  const separator = place === 'header' ? ',' : explode && style !== 'label' ? undefined : SEPARATORS[style];
  const item: Place = {
    ...scalar,
    carriesText: (text) =>
      scalar.carriesText(text) &&
      (separator === undefined || !text.includes(separator)) &&
      (place !== 'header' || text !== ''),
  };
  const list: Place = { ...item, items: item };
  if (style !== 'deepObject') {
    const isSpread = explode && (style === 'form' || style === 'cookie');
    return { ...scalar, items: item, fieldOf: () => (isSpread ? list : item) };
  }
  const deep: Place = {
    ...scalar,
    get items() {
      return deep;
    },
    fieldOf: () => deep,
  };
  return deep;
}

/** Whether a place carries a value exactly. */
export function carries(place: Place, value: unknown): boolean {
  if (typeof value === 'string') return !place.isRecord && place.carriesText(value);
  if (place.isText) return false;
  if (Array.isArray(value)) {
    const { items } = place;
    return (
      items !== undefined &&
      (value.length > 0 || place.carriesEmpty.list) &&
      value.every((item) => carries(items, item))
    );
  }
  if (isObject(value)) {
    const entries = Object.entries(value);
    const { fieldOf } = place;
    return (
      fieldOf !== undefined &&
      (entries.length > 0 || place.carriesEmpty.object) &&
      entries.every(([name, field]) => carries(fieldOf(name), field))
    );
  }
  if (value === null) return !place.isRecord && place.carriesText('');
  return !place.isRecord && hasExactNumbers(value) && place.carriesText(JSON.stringify(value));
}
