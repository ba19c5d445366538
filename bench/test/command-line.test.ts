import { helpText, readArguments, UsageError } from '../src/arguments.ts';
import { parts } from '../src/parts/parts.ts';

test('the help names every part', () => {
  const help = helpText(parts);
  for (const { name, about } of parts)
    expect(help).toMatch(new RegExp(`^  ${name} +${about.slice(0, 20)}`, 'm'));
  expect(new Set(parts.map(({ name }) => name)).size).toBe(parts.length);
});

test('a full run writes the results, a part does so where it is asked to', () => {
  expect(readArguments([], parts)).toMatchObject({ names: [], rounds: 5, write: true });
  expect(readArguments(['list-10', '--rounds', '7'], parts)).toMatchObject({
    names: ['list-10'],
    rounds: 7,
    write: false,
  });
  expect(readArguments(['list-10', '--write'], parts).write).toBe(true);
});

test.each([
  [['list-11'], 'there is no part list-11; there are list-10, '],
  [['--rounds', '0'], '--rounds must be a whole number from 1'],
  [['--round', '3'], "Unknown option '--round'"],
])('%j is refused, and it is said why', (args, message) => {
  expect(() => readArguments(args, parts)).toThrow(UsageError);
  expect(() => readArguments(args, parts)).toThrow(message);
});
