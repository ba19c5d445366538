import type { TopicState } from './feed-table.ts';

/** A cursor that is not one of this feed, or too old: entries behind it were deleted. */
export class CursorExpired extends Error {
  override readonly name = 'CursorExpired';

  constructor(topic: string) {
    super(`the cursor is not one of the topic ${topic}, or entries behind it were deleted`);
  }
}

export function cursorOf(life: string, position: number): string {
  return `${life}.${position}`;
}

/** The position of a cursor; undefined is before all entries. Throws a CursorExpired. */
export function positionOf(
  topic: string,
  cursor: string | undefined,
  { life, last, swept }: TopicState,
): number {
  if (cursor === undefined) return swept;
  const [, of, text] = /^([\w-]+)\.(\d{1,15})$/.exec(cursor) ?? [];
  const position = Number(text);
  if (of !== life || position > last || position < swept) throw new CursorExpired(topic);
  return position;
}
