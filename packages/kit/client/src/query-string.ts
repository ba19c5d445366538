import type { ParameterStyle } from '@kit/contract';
import { serializeArrayParam, serializeObjectParam } from 'openapi-fetch';

type ArrayOptions = Parameters<typeof serializeArrayParam>[2];
type ObjectOptions = Parameters<typeof serializeObjectParam>[2];

/** A parameter in a style of OpenAPI 3.1 §4.8.12.3; '' for an empty list. `textOf` writes a scalar. */
export function styledText(
  name: string,
  value: unknown,
  options: ParameterStyle,
  textOf: (value: unknown) => string,
): string {
  if (Object(value) !== value || Array.isArray(value)) {
    const texts = [value].flat().map(textOf);
    return texts.length > 0 ? serializeArrayParam(name, texts, options as ArrayOptions) : '';
  }
  if (options.style === 'deepObject') return nestedTexts(name, value as object, textOf).join('&');
  const entries = Object.entries(value as object).filter(([, value]) => value !== undefined);
  const texts = Object.fromEntries(entries.map(([key, value]) => [key, textOf(value)]));
  return serializeObjectParam(name, texts, options as ObjectOptions);
}

/** openapi-fetch refuses nested values. */
function nestedTexts(prefix: string, value: object, textOf: (value: unknown) => string): string[] {
  return Object.entries(value).flatMap(([key, item]: [string, unknown]) => {
    const name = `${prefix}[${Array.isArray(value) ? '' : encodeURIComponent(key)}]`;
    if (Object(item) === item) return nestedTexts(name, item as object, textOf);
    return item === undefined ? [] : [`${name}=${encodeURIComponent(textOf(item))}`];
  });
}
