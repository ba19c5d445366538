/* JSON pointers (RFC 6901), as in references. The document is plain data here: it was checked during generation. */

/** The steps to a place of a document. */
export type Pointer = readonly (string | number)[];

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The steps of a local reference such as `#/paths/~1loans`, or of the pointer in it. */
export function stepsOf(reference: string): string[] {
  const [, ...steps] = reference.replace(/^#/, '').split('/');
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The pointer with these steps (RFC 6901 §3). */
export function pointerTo(steps: readonly (string | number)[]): string {
  return steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The local reference with these steps, percent-encoded as a fragment (RFC 6901 §6). */
export function referenceTo(steps: readonly (string | number)[]): string {
  return `#${encodeURI(pointerTo(steps)).replaceAll('#', '%23')}`;
}

/** The value in `document` that `reference` points to; undefined if there is none. */
export function resolve(document: unknown, reference: string): unknown {
  return stepsOf(reference).reduce<unknown>(
    (node, step) => (typeof node === 'object' && node !== null ? (node as JsonObject)[step] : undefined),
    document,
  );
}
