import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { readModel } from '@contract-kit/core/model';
import { contract } from '../support.ts';

/* The generated test by the runner of Node.js, on a service of which cancelLoan alone is implemented. */

const PROGRAM = path.join(import.meta.dirname, '../half-implemented.ts');

test('only operations that are not implemented must respond with 501', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', '--test', '--test-reporter=tap', PROGRAM],
    { env: { ...process.env, NODE_OPTIONS: '', FUZZ_RUNS: '10' }, maxBuffer: 10_000_000 },
  );
  const titles = [...stdout.matchAll(/^ *ok \d+ - (.*)$/gm)].map(([, title]) => title);
  const ids = readModel(contract.document).operations.map(({ id }) => id);
  const expected = ids.flatMap((id) => [
    ...(id === 'cancelLoan' ? [] : [`${id} responds with 501 in production until it is implemented`]),
    `${id} satisfies the contract for any request`,
  ]);
  expect(titles.filter((title) => / (responds|satisfies) /.test(title ?? '')).sort()).toEqual(
    expected.sort(),
  );
});
