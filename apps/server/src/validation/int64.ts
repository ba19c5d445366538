import { isInt64 } from '@petstore/contract/int64';
import { isAnnotation } from '@petstore/contract/schema-view';

type Bound = readonly [word: string, holds: (value: bigint, bound: number) => boolean];

const BOUNDS: Readonly<Record<string, Bound>> = {
  minimum: ['>=', (value, bound) => value >= bound],
  maximum: ['<=', (value, bound) => value <= bound],
  exclusiveMinimum: ['>', (value, bound) => value > bound],
  exclusiveMaximum: ['<', (value, bound) => value < bound],
  multipleOf: ['a multiple of', (value, divisor) => value % BigInt(divisor) === 0n],
};

/**
 * Reads a canonical int64 within the bounds of `schema`: the value, or what the text must be. Throws where the schema
 * has a keyword that is not looked at here: it would be promised and not kept.
 */
export function int64Reader(schema: Readonly<Record<string, unknown>>): (text: string) => bigint | string {
  const bounds = Object.entries(schema).flatMap(([keyword, bound]) => {
    const [word, holds] = BOUNDS[keyword] ?? [];
    if (holds && typeof bound === 'number') return [{ bound, holds, wanted: `${word} ${bound}` }];
    if (['type', 'format', 'default'].includes(keyword) || isAnnotation(keyword)) return [];
    throw new Error(`the keyword ${keyword} of an int64 parameter is not supported`);
  });
  return (text) => {
    if (!isInt64(text)) return 'a 64-bit decimal integer';
    const value = BigInt(text);
    return bounds.find(({ holds, bound }) => !holds(value, bound))?.wanted ?? value;
  };
}
