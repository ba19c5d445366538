import { memoizeByRevision } from '../src/database/memoize-by-revision.ts';

test('a value is loaded once per revision, and no caller joins a load that began before a change', async () => {
  let revision = 1;
  let loads = 0;
  const value = memoizeByRevision(
    () => Promise.resolve(revision),
    () => Promise.resolve((loads += 1)),
  );
  expect(await Promise.all([value(), value()])).toEqual([1, 1]);
  revision = 2;
  const before = value();
  revision = 3;
  const after = value();
  expect(await Promise.all([before, after])).toEqual([2, 3]);
});
