import type { ParameterStyle } from '@contract-kit/core';

/** What separates the items of one text, if it is no comma. */
const DELIMITERS: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '|' };
const PREFIXES: Readonly<Record<string, string>> = { label: '.', matrix: ';' };

/** A parameter in a style of OpenAPI 3.2 §4.12.3; '' for an empty list. `textOf` writes a scalar. */
export function styledText(
  name: string,
  value: unknown,
  { style, explode }: ParameterStyle,
  textOf: (value: unknown) => string,
): string {
  const isObject = Object(value) === value;
  if (style === 'deepObject' && isObject) return nestedTexts(name, value as object, textOf).join('&');
  const isCookie = style === 'cookie';
  const encode = isCookie ? String : encodeURIComponent;
  const write = (item: unknown) => encode(textOf(item));
  const isRecord = isObject && !Array.isArray(value);
  // Fields are as if they were parameters of their names, and a list is repeated.
  const isSpread = isRecord && (isCookie || style === 'form') && explode;
  const parts = isRecord
    ? Object.entries(value as object)
        .filter(([, item]) => item !== undefined)
        .flatMap(([key, item]: [string, unknown]) =>
          isSpread
            ? [item].flat().map((one) => `${encode(key)}=${write(one)}`)
            : `${key}${explode ? '=' : ','}${write(item)}`,
        )
    : [value].flat().map(write);
  if (parts.length === 0) return '';
  const prefix = PREFIXES[style] ?? '';
  const key = isSpread || style === 'simple' || style === 'label' ? '' : `${name}=`;
  if (!explode) return prefix + key + parts.join(DELIMITERS[style] ?? ',');
  return (
    prefix +
    parts.map((part) => key + part).join(prefix || (isCookie ? '; ' : style === 'simple' ? ',' : '&'))
  );
}

function nestedTexts(prefix: string, value: object, textOf: (value: unknown) => string): string[] {
  return Object.entries(value).flatMap(([key, item]: [string, unknown]) => {
    // Their indexes separate the objects of a list.
    const step = Array.isArray(value) && Object(item) !== item ? '' : encodeURIComponent(key);
    const name = `${prefix}[${step}]`;
    if (Object(item) === item) return nestedTexts(name, item as object, textOf);
    return item === undefined ? [] : [`${name}=${encodeURIComponent(textOf(item))}`];
  });
}
