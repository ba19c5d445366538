/** The parameter of a segment that has one, with a name that is safe in a pattern. */
export function nameIn(segment: string): string | undefined {
  return /^[^{}]*\{([^{}":*?\\]+)\}[^{}]*$/.exec(segment)?.[1];
}

/** A segment of a path for path-to-regexp, in which `{order-id}` would be `order` and `(` a fault. */
export function patternOf(segment: string, index: number): string {
  const escaped = (text: string) => text.replaceAll(/[()[\]?+!*\\]/g, String.raw`\$&`);
  const name = nameIn(segment);
  if (name !== undefined) return segment.split(`{${name}}`).map(escaped).join(`{"${name}"}`);
  // Of several parameters in a segment it splits the last off first, other than the router.
  return segment.includes('{') ? `{"segment ${index}"}` : escaped(segment);
}
