import { withProgress } from '../src/progress.ts';

/** What is written by work that tells what it does at each of `times`, in seconds. */
async function writtenAt(times: readonly number[], isTTY: boolean): Promise<string[]> {
  const written: string[] = [];
  const output = { isTTY, write: (text: string) => written.push(text) };
  let now = 0;
  await withProgress(
    (progress) => {
      for (const time of times) {
        now = time * 1000;
        progress(`step ${time}`);
      }
      return Promise.resolve();
    },
    output,
    () => now,
  );
  return written;
}

test('work of less than two seconds tells nothing', async () => {
  expect(await writtenAt([0, 1, 1.9], true)).toEqual([]);
  expect(await writtenAt([0, 1, 1.9], false)).toEqual([]);
});

test('on a terminal longer work has one line, which goes away', async () => {
  const clear = '\r\u001b[K';
  expect(await writtenAt([0, 2, 2.1, 4], true)).toEqual(['step 2 …', clear, 'step 4 …', clear]);
});

test('elsewhere it has a line every ten seconds', async () => {
  expect(await writtenAt([0, 2, 4, 11, 12, 30], false)).toEqual(['step 2 …\n', 'step 12 …\n', 'step 30 …\n']);
});

test('a line on a terminal goes away, too, if the work fails', async () => {
  const written: string[] = [];
  const output = { isTTY: true, write: (text: string) => written.push(text) };
  const times = [0, 3000];
  const work = withProgress(
    (progress) => {
      progress('it');
      return Promise.reject(new Error('no'));
    },
    output,
    () => times.shift() ?? 3000,
  );
  await expect(work).rejects.toThrow('no');
  expect(written).toEqual(['it …', '\r\u001b[K']);
});
