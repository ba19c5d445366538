/** Bytes of a body. A longer one has no end, or should be streamed. */
export const MAX_LENGTH = 2 ** 28;

/** Reads the whole body; `undefined` if it is too long. */
export async function bytesOf(response: Response): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const body: ReadableStream<Uint8Array> | null = response.body;
  const reader = body?.getReader();
  for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
    chunks.push(read.value);
    length += read.value.length;
    if (length > MAX_LENGTH) {
      await reader?.cancel();
      return undefined;
    }
  }
  const bytes = new Uint8Array(length);
  let start = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, start);
    start += chunk.length;
  }
  return bytes;
}

/** The text of UTF-8 bytes; `undefined` if they are not, and `isStrict`. */
export function textOf(bytes: Uint8Array, isStrict: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: isStrict }).decode(bytes);
  } catch {
    return undefined;
  }
}
