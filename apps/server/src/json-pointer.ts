/* The document is plain data here: whether it is OpenAPI was decided when it was generated from and loaded. */
export type Schema = Record<string, unknown>;

/** What the local reference `reference` (RFC 6901) points at in `document`; undefined where there is nothing. */
export function resolve(document: Schema, reference: string): unknown {
  return reference
    .replace(/^#\//, '')
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((node, step) => (isObject(node) ? node[step] : undefined), document);
}

export function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
