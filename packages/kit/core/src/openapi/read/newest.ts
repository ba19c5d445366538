import { bodyKindOf } from '../../http/index.ts';
import type { JsonObject } from '../../json/index.ts';
import type { Kind } from './grammar.ts';
import type { Node } from './walk.ts';

/** Fields that OpenAPI 3.2 adds, without those that are refused. */
const FIELDS: Partial<Record<Kind, readonly string[]>> = {
  Document: ['$self'],
  Server: ['name'],
  Tag: ['summary', 'parent', 'kind'],
  Components: ['mediaTypes'],
  PathItem: ['query'],
  MediaType: ['itemSchema', 'prefixEncoding', 'itemEncoding'],
  Encoding: ['encoding', 'prefixEncoding', 'itemEncoding'],
  Response: ['summary'],
  Example: ['dataValue', 'serializedValue'],
  Discriminator: ['defaultMapping'],
  SecurityScheme: ['deprecated', 'oauth2MetadataUrl'],
};

export function isNewest(document: JsonObject): boolean {
  return String(document.openapi).startsWith('3.2.');
}

/** The fields of an object that are new in OpenAPI 3.2. */
export function newFieldsOf({ kind, value }: Node): string[] {
  const isNewStyle = kind === 'Parameter' && value.style === 'cookie';
  return [...(FIELDS[kind] ?? []).filter((name) => name in value), ...(isNewStyle ? ['style'] : [])];
}

/** Gives an example of a media type that only has the text that is sent its value, too. */
export function valueExample({ value: example, parent }: Node): void {
  const { serializedValue: text } = example;
  if (text === undefined || 'dataValue' in example || parent?.kind !== 'MediaType') return;
  const kind = bodyKindOf(String(parent.pointer.at(-1)));
  if (kind === 'text') example.dataValue = text;
  if (kind !== 'json') return;
  try {
    // By its shape, which was checked before, it is text.
    example.dataValue = JSON.parse(text as string);
  } catch {
    // It shows what is no JSON.
  }
}
