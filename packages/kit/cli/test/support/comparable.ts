import { isObject } from '@contract-kit/core/json';

/** `value` with files as what they are: Jest takes all files for equal. */
export async function comparable(value: unknown): Promise<unknown> {
  if (value instanceof Blob) {
    const name = value instanceof File ? value.name : undefined;
    return { name, type: value.type, bytes: [...new Uint8Array(await value.arrayBuffer())] };
  }
  if (Array.isArray(value)) return Promise.all(value.map(comparable));
  if (!isObject(value) || ArrayBuffer.isView(value)) return value;
  const fields = Object.entries(value).map(async ([name, item]) => [name, await comparable(item)] as const);
  return Object.fromEntries(await Promise.all(fields));
}
