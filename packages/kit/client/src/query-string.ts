import type { ParameterStyle } from '@kit/contract';
import { serializeArrayParam, serializeObjectParam } from 'openapi-fetch';

type ArrayOptions = Parameters<typeof serializeArrayParam>[2];
type ObjectOptions = Parameters<typeof serializeObjectParam>[2];

/** A parameter of the query: one `name=value` per text, or one for all if they are `joined`; '' if it is missing. */
export function queryText(name: string, texts: readonly string[], joined = false): string {
  return texts.length > 0 ? serializeArrayParam(name, [...texts], { style: 'form', explode: !joined }) : '';
}

/** A parameter in a style of OpenAPI 3.1 §4.8.12.3. `textOf` writes a scalar. */
export function styledText(
  name: string,
  value: unknown,
  options: ParameterStyle,
  textOf: (value: unknown) => string,
): string {
  if (Object(value) !== value || Array.isArray(value))
    return serializeArrayParam(name, [value].flat().map(textOf), options as ArrayOptions);
  if (options.style === 'deepObject') return nestedTexts(name, value as object, textOf).join('&');
  const entries = Object.entries(value as object).filter(([, each]) => each !== undefined);
  const texts = Object.fromEntries(entries.map(([key, each]) => [key, textOf(each)]));
  return serializeObjectParam(name, texts, options as ObjectOptions);
}

/** openapi-fetch refuses nested values. */
function nestedTexts(prefix: string, value: object, textOf: (value: unknown) => string): string[] {
  return Object.entries(value).flatMap(([key, each]: [string, unknown]) => {
    const name = `${prefix}[${Array.isArray(value) ? '' : encodeURIComponent(key)}]`;
    if (Object(each) === each) return nestedTexts(name, each as object, textOf);
    return each === undefined ? [] : [`${name}=${encodeURIComponent(textOf(each))}`];
  });
}
