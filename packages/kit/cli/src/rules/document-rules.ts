import {
  additionsTo,
  type SourceDocument,
  type Json,
  type Problem,
  serverName,
} from '@contract-kit/core/openapi';

const PLANS = 'x-rate-limit-plans';
const CODES = 'x-error-codes';

export function* checkServers(contract: SourceDocument): Iterable<Problem> {
  const [, major] = /^(\d+)\.\d+\.\d+$/.exec(contract.document.info?.version ?? '') ?? [];
  if (major === undefined)
    yield contract.problemAt(['info', 'version'], 'the version must be three numbers, such as 1.0.0');
  // Another rule reports malformed addresses.
  const servers = ((contract.document.servers ?? []) as Json[])
    .map((server, index) => ({ server, url: server.url, place: ['servers', index] }))
    .filter(({ url }) => URL.canParse(url));
  if (!servers.some(({ server }) => serverName(server) === 'production'))
    yield contract.problemAt(
      ['servers'],
      'one server must have a description that starts with "Production": clients use it by default',
    );
  for (const { server, url, place } of servers) {
    if (new URL(url).pathname !== new URL(servers[0]?.url).pathname) {
      const message = 'the path is not that of the first server: the service has one';
      yield contract.problemAt([...place, 'url'], message);
    }
    if (serverName(server) === '')
      yield contract.problemAt(
        place,
        'the server needs a description with a word of a to z: the first is its name in the client',
      );
    if (major !== undefined && !url.endsWith(`/v${major}`)) {
      const message = `the server's path must end in /v${major}, the major version of info.version`;
      yield contract.problemAt([...place, 'url'], message);
    }
  }
}

/** Rule `plans`: every caller has a plan. */
export function* requirePlans(contract: SourceDocument): Iterable<Problem> {
  if (!Number.isInteger(contract.document[PLANS]?.free?.perMinute))
    yield contract.problemAt([PLANS, 'free'], 'the plan `free` also limits requests without a key');
}

/** The numbers of the plans, and the statuses of the error codes, if there are any. */
export function* checkCatalogues(contract: SourceDocument): Iterable<Problem> {
  for (const [id, plan] of Object.entries<Json>(contract.document[PLANS] ?? {})) {
    for (const key of ['perMinute', 'perDay']) {
      if (plan[key] === 'custom' || (Number.isSafeInteger(plan[key]) && plan[key] > 0)) continue;
      yield contract.problemAt([PLANS, id, key], `${key} must be a whole number above 0, or custom`);
    }
    if ((plan.perMinute === 'custom') !== (plan.perDay === 'custom'))
      yield contract.problemAt([PLANS, id], 'perMinute and perDay must both be custom, or neither');
  }
  for (const [code, { status }] of Object.entries<Json>(contract.document[CODES] ?? {})) {
    if (status < 400 || status > 599)
      yield contract.problemAt([CODES, code, 'status'], `${code} needs a status from 400 to 599`);
  }
}

/** Rule `complete`: the contract says all that the server sends. */
export function* checkComplete(contract: SourceDocument): Iterable<Problem> {
  for (const [pointer] of additionsTo(contract)) {
    const [root, section] = pointer;
    // New shared parts belong to the places that refer to them.
    if (root === 'components' && (section !== 'responses' || pointer.length <= 3)) continue;
    const message = 'the server sends more than is said here: `npm run contract:fill` writes it';
    yield contract.problemAt(pointer, message);
  }
}
