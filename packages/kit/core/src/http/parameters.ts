/** How a parameter is written that is an object, a list in one value, or a scalar in another style than the usual one. */
export interface ParameterStyle {
  readonly style: string;
  readonly explode: boolean;
}

/** Where a request has a parameter. Without a style it is a scalar, or in a query a list of scalars that repeats the name. */
export interface PlacedParameter extends Partial<ParameterStyle> {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
}

/** Says why a value cannot be written, or read. Throws. */
type Reject = (why: string) => never;

/** Surrounding spaces would be lost, and other characters may change (RFC 9110 §5.5). */
const IN_HEADERS = /^([!-~]([ -~]*[!-~])?)?$/;
/** RFC 6265 §4.1.1. */
const IN_COOKIES = /^[!#-+\--:<-[\]-~]*$/;

/** JSON as a header carries it, which is in ASCII (RFC 9110 §5.5). */
export const jsonInHeader = (text: string): string =>
  text.replace(/[^ -~]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * A parameter as its place has it, in a style of OpenAPI 3.2 §4.12.3: `name=a&name=b` in a query, `name=a` in a cookie, the
 * text alone in a path and a header. The style `json` is a text in JSON. Undefined for an empty list (RFC 6570 §2.3), and for an object without fields whose
 * fields are parameters: nothing is sent. `textOf` writes a scalar; undefined is rejected. Calls `reject` for what
 * `parameterReader` would read as another value, such as an item with the delimiter, or another empty object.
 */
export function writeParameter(
  { name, in: place, style = '', explode = place === 'query' }: PlacedParameter,
  value: unknown,
  textOf: (value: unknown) => string | undefined,
  reject: Reject,
): string | undefined {
  const inexact = () => reject(`${name} cannot be sent exactly`);
  const isQuery = place === 'query';
  const isDeep = style === 'deepObject';
  const isRepeated = isDeep || (explode && (isQuery || style === 'cookie'));
  const isList = !isDeep && Array.isArray(value) && (style || isQuery);
  const isRecord = style && !isList && Object(value) === value;
  // Fields are as if they were parameters of their names.
  const isSpread = isRecord && isRepeated && !/Delimited/.test(style);
  const start = isSpread || /path|header/.test(place) ? '' : `${isQuery ? encodeURIComponent(name) : name}=`;
  const prefix = { label: '.', matrix: `;${name}=` }[style] ?? start;
  const between = isRepeated
    ? (isQuery ? '&' : '; ') + prefix
    : ({ spaceDelimited: '%20', pipeDelimited: '%7C' }[style] ?? ((explode && !start && prefix) || ','));
  const allowed = style === 'cookie' ? IN_COOKIES : place === 'header' ? IN_HEADERS : undefined;

  const write = (item: unknown): string => {
    const text = textOf(item) ?? inexact();
    const written = !allowed ? encodeURIComponent(text) : style === 'json' ? jsonInHeader(text) : text;
    // The receiver could not tell it from the delimiter.
    const isSplit = (isList || isRecord) && written.includes(between);
    return isSplit || allowed?.test(written) === false ? inexact() : written;
  };
  const nested = (start: string, object: object): string[] => {
    const texts = Object.entries(object).flatMap(([key, item]: [string, unknown]) => {
      if (/^$|]/.test(key)) inexact();
      // Indexes separate the objects of a list.
      if (Object(item) === item) return nested(`${start}[${key}]`, item as object);
      const step = Array.isArray(object) ? '' : key;
      return item === undefined ? [] : `${encodeURIComponent(`${start}[${step}]`)}=${write(item)}`;
    });
    return texts.length > 0 ? texts : inexact();
  };
  const fieldTexts = ([key, item]: [string, unknown]): string[] => {
    if (item === undefined) return [];
    if (isSpread && isQuery) return [item].flat().map((one) => `${write(key)}=${write(one)}`);
    // Keys are decoded before they end at the first sign.
    if (explode && key.includes('=')) inexact();
    return [write(key) + (explode ? '=' : between) + write(item)];
  };
  const parts = !isRecord
    ? (isList ? (value as unknown[]) : [value]).map(write)
    : isDeep
      ? nested(name, value as object)
      : Object.entries(value as object).flatMap(fieldTexts);
  if (parts.length > 0) return prefix + parts.join(between);
  return isRecord && !isSpread ? inexact() : undefined;
}

/**
 * The path of a template. `write` returns a parameter as `writeParameter` does. Calls `reject` for a parameter that is
 * missing or empty, and for what a router would read as other values.
 */
export function writePath(
  template: string,
  write: (name: string) => string | undefined,
  reject: Reject,
): string {
  return template.replace(/[^/]+/g, (segment) =>
    segment.replace(/{(.+?)}(?=([^{]*){|)/g, (match, name: string, after?: string) => {
      const text = write(name) || reject(`${name} is missing`);
      const end = after && encodeURI(after);
      if (
        // URLs lose dot segments (RFC 3986 §5.2.4): the request would go to another path.
        /^\.\.?$/.test(segment.replace(match, text)) ||
        // A parameter ends where the text after it begins, which percent-encoding changes nothing about (§6.2.2.2).
        (end && (text + end).indexOf(end, 1) < text.length)
      )
        reject(`${name} cannot be sent exactly`);
      return text;
    }),
  );
}
