/** Decides what a schema leaves open. */
export interface Choices {
  /** An index below `count`, of which 0 is the simplest. */
  readonly pick: (count: number) => number;
  /** How many of the fields that may be left out are made, at most. */
  readonly fields: (count: number) => readonly number[];
  /** How many items a list gets. */
  readonly size: (least: number, most: number) => number;
  /** How often a schema may lead back to itself. */
  readonly rounds: number;
  /** Whether null is as good as another value. */
  readonly takesNull: boolean;
  /** Whether texts and numbers are the usual ones. */
  readonly isUsual: boolean;
  /** The choices for the item at a place of a list of different items. */
  readonly itemAt: (at: number) => Choices;
}

/** The same choice everywhere: the simplest, or the nth of equally good ones. With `isFull`, optional fields are made. */
export function nthChoice(nth = 0, isFull = false): Choices {
  return {
    pick: (count) => nth % count,
    fields: (count) => (isFull ? range(count) : []),
    size: (least, most) => Math.min(Math.max(1, least), most),
    rounds: 1,
    takesNull: false,
    isUsual: true,
    itemAt: (at) => nthChoice(nth + at, isFull),
  };
}

/** How many more items than it must a list gets. */
const MORE_ITEMS = 4;

/** The choices that `numbers`, from 0 on, stand for; after their end, the simplest ones. Fewer or smaller numbers are simpler. */
export function choicesFrom(numbers: readonly number[]): Choices {
  let next = 0;
  const shifted = (shift: number): Choices => {
    // Where nothing is left open, no number is used up.
    const pick = (count: number) => (count < 2 ? 0 : ((numbers[next++] ?? 0) + shift) % count);
    return {
      pick,
      fields: (count) => range(count).filter(() => pick(2) === 1),
      size: (least, most) => least + pick(Math.max(0, Math.min(most - least, MORE_ITEMS)) + 1),
      rounds: 2,
      takesNull: true,
      isUsual: false,
      itemAt: shifted,
    };
  };
  return shifted(0);
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
