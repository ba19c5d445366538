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
  if (options.style === 'deepObject' && Object(value) === value)
    return nestedTexts(name, value as object, textOf).join('&');
  if (Object(value) !== value || Array.isArray(value)) {
    const texts = [value].flat().map(textOf);
    return texts.length > 0 ? serializeArrayParam(name, texts, options as ArrayOptions) : '';
  }
  const entries = Object.entries(value as object).filter(([, value]) => value !== undefined);
  // A list is repeated, as if it were a parameter of its name.
  if (options.style === 'form' && options.explode)
    return entries
      .map(([key, item]) => styledText(encodeURIComponent(key), [item].flat(), options, textOf))
      .join('&');
  const texts = Object.fromEntries(entries.map(([key, value]) => [key, textOf(value)]));
  return serializeObjectParam(name, texts, options as ObjectOptions);
}

/** openapi-fetch refuses nested values. */
function nestedTexts(prefix: string, value: object, textOf: (value: unknown) => string): string[] {
  return Object.entries(value).flatMap(([key, item]: [string, unknown]) => {
    // The objects of a list are told apart by their indexes.
    const step = Array.isArray(value) && Object(item) !== item ? '' : encodeURIComponent(key);
    const name = `${prefix}[${step}]`;
    if (Object(item) === item) return nestedTexts(name, item as object, textOf);
    return item === undefined ? [] : [`${name}=${encodeURIComponent(textOf(item))}`];
  });
}
