import { InvalidArgumentError } from 'commander';
import { wholeNumberIn } from '../config.ts';
import { isInt64 } from '@petstore/contract/int64';

export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = wholeNumberIn(min, max)(text);
    if (value === undefined)
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return value;
  };
}

export function id(text: string): bigint {
  if (!isInt64(text)) throw new InvalidArgumentError('It must be a decimal integer, such as 42.');
  return BigInt(text);
}
