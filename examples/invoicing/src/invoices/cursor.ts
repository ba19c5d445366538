const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** A cursor is opaque to clients, so that its contents may change. */
export const cursorOf = (id: string) => Buffer.from(id).toString('base64url');

/** The id in a cursor; undefined if this service did not make it. */
export function idIn(cursor: string): string | undefined {
  const id = Buffer.from(cursor, 'base64url').toString();
  return UUID.test(id) ? id : undefined;
}
