import { essenceOf, parametersOf } from '@contract-kit/core/http';

export const QUERY = 'QUERY';
export const ACCEPT_QUERY = 'Accept-Query';

/**
 * The `Accept-Query` header for the media types of a QUERY: a list of strings with parameters (RFC 10008 §3, RFC 9651 §3.1).
 * Without ranges such as `application/*+json`, for which it has no form.
 */
export function acceptQueryOf(types: readonly string[]): string {
  return types
    .filter((type) => /^(\*|[^*/]+)\/(\*|[^*]+)$/.test(essenceOf(type)))
    .map((type) => [text(essenceOf(type)), ...parametersOf(type).flatMap(written)].join(';'))
    .join(', ');
}

function written(parameter: string): string[] {
  const [name = '', value = ''] = parameter.split(/=(.*)/s);
  return /^[a-z*][\w.*-]*$/.test(name) ? [`${name}=${text(value)}`] : [];
}

function text(value: string): string {
  return `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
