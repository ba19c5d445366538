import { InvalidArgumentError } from 'commander';
import { isInt64 } from '@contract-kit/core/json';
import { wholeNumber as wholeNumberSetting } from '../settings.ts';

export function wholeNumberArgument(min: number, max: number): (text: string) => number {
  const { parse, want } = wholeNumberSetting(min, max);
  return (text) => {
    const value = parse(text);
    if (value === undefined) throw new InvalidArgumentError(`It must be ${want}.`);
    return value;
  };
}

export function id(text: string): bigint {
  if (!isInt64(text)) throw new InvalidArgumentError('It must be a decimal integer, such as 42.');
  return BigInt(text);
}
