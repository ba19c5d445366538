import { isWithin, typeInRange, writeParameter } from '@contract-kit/core/http';
import { isExact } from './exact-integers.ts';
import { exactJson, JSON_TYPE, propertyIn, type BodyWriter } from './request-parts.ts';

/** Writes bodies of any media type. Text or bytes in place of JSON or of a form are of the types for them. */
export const writeBody: BodyWriter = (
  value,
  { bodyType: type = JSON_TYPE, bodyTypes = [], otherBodies = {}, partTypes = {}, fieldStyles = {} },
  reject,
) => {
  const isBytes = ArrayBuffer.isView(value) || value instanceof Blob;
  const isForm = /^(multipart\/form-data|application\/x-www-form-urlencoded)/.test(type);
  const isJson = /\bjson\b|^(\*|application)\/\*/.test(type);
  const other = isBytes ? otherBodies.bytes : typeof value === 'string' ? otherBodies.text : undefined;
  if (isJson && !isBytes && !other)
    return { body: exactJson(value, reject), contentType: type.includes('*') ? JSON_TYPE : type };
  // The text of a number or a boolean.
  if (Object(value) !== value && typeof value !== 'string' && /^text\/(plain|\*)/.test(type))
    return { body: exactJson(value, reject), contentType: typeInRange(type, 'plain') };
  if (isBytes || typeof value === 'string') {
    const usualType = isBytes ? 'application/octet-stream' : 'text/plain';
    // Or a type in a range such as image/*.
    const usual = other ?? (isForm || isJson ? usualType : type);
    const own = value instanceof Blob ? value.type : '';
    const isDeclared = own !== '' && bodyTypes.some((item) => isWithin(own, item));
    const name = nameOf(value);
    return {
      body: value as RequestInit['body'],
      contentType: isDeclared ? own : typeInRange(usual, isBytes ? 'octet-stream' : 'plain'),
      disposition: name && `attachment; filename*=UTF-8''${extendedValue(name)}`,
    };
  }
  if (!isForm || Object(value) !== value) reject(`body cannot be sent as ${type}`);
  const form = type.startsWith('multipart') ? new FormData() : new URLSearchParams();
  // As an empty value, like a parameter.
  const scalarText = (item: unknown) =>
    item === null ? '' : isExact(item, 'bigint') ? `${item as string}` : exactJson(item, reject);
  const styled: string[] = [];
  for (const [name, field] of Object.entries(value as object)) {
    const style = propertyIn(fieldStyles, name);
    if (style && field !== undefined)
      styled.push(writeParameter({ name, in: 'query', ...style }, field, scalarText, reject) ?? '');
    else
      for (const item of [field].flat() as unknown[]) {
        if (item === undefined) continue;
        const isFile = ArrayBuffer.isView(item) || item instanceof Blob;
        if (isFile && form instanceof FormData)
          form.append(name, typedBlob(item, propertyIn(partTypes, name)), nameOf(item) ?? name);
        else form.append(name, scalarText(item));
      }
  }
  if (styled.length > 0)
    return {
      body: [(form as URLSearchParams).toString(), ...styled].filter(Boolean).join('&'),
      contentType: type,
    };
  return { body: form, contentType: undefined };
};

/** RFC 8187 §3.2.1. */
function extendedValue(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

function nameOf(value: unknown): string | undefined {
  return value instanceof Blob && 'name' in value && value.name !== '' ? String(value.name) : undefined;
}

/** Bytes as a Blob, which has the type that the contract wants unless it has its own. */
function typedBlob(bytes: ArrayBufferView | Blob, type: string | undefined): Blob {
  if (bytes instanceof Blob && (bytes.type !== '' || type === undefined)) return bytes;
  const options = type === undefined ? {} : { type: typeInRange(type, 'octet-stream') };
  return new Blob([bytes as Uint8Array<ArrayBuffer>], options);
}
