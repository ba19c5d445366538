import { contract } from '@petstore/contract';
import fc from 'fast-check';
import { type KeyStore, digestOf } from '@kit/server/internals';
import { askRaw, type RawRequest } from '@kit/server/testing';
import { startTestService, type TestService } from '../support/service.ts';
import { operationsIn, type Operation } from './operations.ts';
import { checkHead, createOracle, type Answer } from './oracle.ts';
import { casesOf, KEY, type Case } from './requests.ts';

/* The contract, held against every answer to requests that are made from it. */

export const operations = operationsIn(contract.document);
const oracle = createOracle(contract);

const PLENTY = 1_000_000_000;
const HOUR = 60 * 60_000;

/** A key that is used up at once, which `KEY` stands for in what is asked with it. */
const LIMITED_KEY = 'pst_TheKeyThatIsUsedUp000000000000001zBcpw';
const QUOTA = 3;

/** The server to fuzz. */
interface Target {
  readonly ask: (request: RawRequest) => Promise<Answer>;
  /** Moves the server's clock on, so that no window of the address is ever full. */
  readonly advance: (milliseconds: number) => void;
}

async function addKey(keys: KeyStore, key: string, perMinute: number): Promise<void> {
  const quota = { perMinute, perDay: PLENTY };
  const digest = digestOf(key);
  await keys.insert({ id: digest, digest, name: 'fuzz', plan: 'enterprise', quota, createdAt: new Date() });
}

/**
 * The real service as it runs in production, where no response is checked before it leaves. It holds records with small
 * ids in every state there is, so that small numbers are likely to be ids of something. `handlers` stand in for its own.
 */
export async function startTarget(
  handlers?: Readonly<Record<string, unknown>>,
): Promise<Target & Pick<TestService, 'stop'>> {
  const service = await startTestService({ validatesResponses: false, ...(handlers && { handlers }) });
  const statuses = ['pending', 'shipped', 'cancelled'] as const;
  const ids = Array.from({ length: 40 }, (_, index) => index + 1);
  await service.addOrders(
    ids.map((id) => ({
      id,
      ...(id % 2 === 0 && { petId: id, quantity: id % 5, complete: id % 4 === 0 }),
      ...(id % 5 === 0 && { shipDate: '2026-11-24T09:00:00.000Z' }),
      status: statuses[id % statuses.length] ?? 'pending',
    })),
  );
  await service.addPets(ids.map((id) => (id % 2 === 0 ? { id, name: `Pet \u{1f436} ${id}` } : { id })));
  await addKey(service.store.keys, KEY, PLENTY);
  await addKey(service.store.keys, LIMITED_KEY, QUOTA);
  return {
    ask: (request) => answerTo(service.origin, request),
    advance: (milliseconds) => service.clock.advance(milliseconds),
    stop: () => service.stop(),
  };
}

async function answerTo(origin: string, request: RawRequest): Promise<Answer> {
  const response = await askRaw(origin, request);
  const { status, headers } = response;
  return { status, headers: Object.fromEntries(headers), body: await response.text() };
}

/**
 * Asks `operation` whatever fast-check can think of, and then on with a key that is used up. Throws with the seed and
 * the simplest request whose answer breaks the contract. Resolves to how often each status was answered.
 */
export async function fuzz(
  operation: Operation,
  { ask, advance }: Target,
  parameters: fc.Parameters<[Case]> & { readonly seed: number },
): Promise<Map<number, number>> {
  const seen = new Map<number, number>();
  const hold = async (request: Case) => {
    const answer = await ask(request);
    const { status } = answer;
    const problems = oracle(request, answer);
    if (request.isAnsweredByOperation) {
      seen.set(status, (seen.get(status) ?? 0) + 1);
      if (request.method === 'HEAD')
        problems.push(...checkHead(answer, await ask({ ...request, method: 'GET' })));
    }
    if (problems.length > 0) throw new Error(problems.join('; '));
  };
  const cases = casesOf(operation);
  const usual = fc.asyncProperty(cases, (request) => {
    advance(HOUR);
    return hold(request);
  });
  await fc.assert(usual, { timeout: 5_000, includeErrorInReport: true, ...parameters });

  advance(HOUR);
  // Beyond twice the quota the key is banned: both refusals are to be seen.
  const asked = fc
    .sample(cases, { seed: parameters.seed, numRuns: 200 })
    .filter(isCounted)
    .slice(0, 3 * QUOTA);
  for (const [index, request] of asked.entries()) {
    const headers = request.headers.map(([name, value]) => [name, value.replace(KEY, LIMITED_KEY)] as const);
    const refused = { what: `${request.what}, beyond the quota,`, statuses: [429], allow: undefined };
    await hold({ ...request, headers, ...(index >= QUOTA && refused) }).catch((error: unknown) => {
      throw new Error(`seed ${parameters.seed}, ${fc.stringify(request)}`, { cause: error });
    });
  }
  return seen;
}

/** Whether it counts once and for the key: OPTIONS does not, and a HEAD is asked with its GET. */
function isCounted({ method, headers }: Case): boolean {
  const credentials = headers.filter(([name]) => name.toLowerCase() === 'authorization');
  return (
    !['OPTIONS', 'HEAD'].includes(method) && credentials.map(([, value]) => value).join() === `Bearer ${KEY}`
  );
}
