import { describeFailure, fuzz } from './fuzz/fuzz.ts';
import { startTarget } from './fuzz/target.ts';

/* The contract, held against every answer to requests that are made from it. The long run is `npm run fuzz`. */

jest.setTimeout(120_000);

const SEED = 20261121;
const RUNS = 150;

let target: Awaited<ReturnType<typeof startTarget>>;

beforeAll(async () => {
  target = await startTarget();
});

afterAll(() => target.stop());

test(`every answer keeps to the contract, whatever is asked (seed ${SEED})`, async () => {
  const report = await fuzz(target, { seed: SEED, runs: RUNS });
  const { coverage } = report;
  process.stdout.write(`fuzz: seed ${SEED}, ${coverage.requests} requests\n${coverage.table()}\n`);
  expect(report.failures.map(describeFailure).join('\n')).toBe('');
  // Whether random requests reach 404 or 409 depends on the operation; these do not.
  expect(coverage.unseen.filter(({ status }) => status < 300 || [400, 401, 429].includes(status))).toEqual(
    [],
  );
});
