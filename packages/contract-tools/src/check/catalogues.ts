import type { Contract, Json, Problem } from '../contract.ts';
import { fits } from '../support/fits.ts';
import { ERROR } from './responses.ts';

export function* checkServers(contract: Contract): Iterable<Problem> {
  const servers: Json[] = contract.document.servers ?? [];
  const major = String(contract.document.info?.version ?? '').split('.')[0];
  if (servers.length === 0) yield contract.problemAt(['servers'], 'the contract needs at least one server');
  for (const [index, server] of servers.entries()) {
    if (URL.canParse(server.url) && new URL(server.url).pathname !== new URL(servers[0].url).pathname) {
      const message = 'the path is not that of the first server: the service has one';
      yield contract.problemAt(['servers', index, 'url'], message);
    }
    if (!new RegExp(`/v${major}$`).test(server.url ?? '')) {
      yield contract.problemAt(
        ['servers', index, 'url'],
        `the server's path must end in /v${major}, the major version of info.version`,
      );
    }
  }
}

export function* checkPlans(contract: Contract): Iterable<Problem> {
  const plans: Record<string, Json> = contract.document['x-rate-limit-plans'] ?? {};
  if (Object.keys(plans).length === 0)
    yield contract.problemAt(['x-rate-limit-plans'], 'x-rate-limit-plans is missing');
  if (!Number.isInteger(plans.free?.perMinute)) {
    yield contract.problemAt(
      ['x-rate-limit-plans', 'free'],
      'the plan `free` also limits requests without a key',
    );
  }
  for (const [id, plan] of Object.entries(plans)) {
    for (const key of ['perMinute', 'perDay']) {
      if (plan[key] !== 'custom' && !(Number.isSafeInteger(plan[key]) && plan[key] > 0)) {
        yield contract.problemAt(
          ['x-rate-limit-plans', id, key],
          `${key} must be a whole number above 0, or custom`,
        );
      }
    }
    if ((plan.perMinute === 'custom') !== (plan.perDay === 'custom')) {
      yield contract.problemAt(
        ['x-rate-limit-plans', id],
        'perMinute and perDay must both be custom, or neither',
      );
    }
  }
}

export function* checkErrorCodes(contract: Contract): Iterable<Problem> {
  const codes: Record<string, Json> = contract.document['x-error-codes'] ?? {};
  const place = ['components', 'schemas', 'Error', 'properties', 'code', 'x-extensible-enum'];
  const listed: string[] =
    contract.document.components?.schemas?.Error?.properties?.code?.['x-extensible-enum'] ?? [];
  for (const [code, { status, description }] of Object.entries<Json>(codes)) {
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      yield contract.problemAt(['x-error-codes', code, 'status'], `${code} needs a status from 400 to 599`);
    }
    if (typeof description !== 'string') {
      yield contract.problemAt(['x-error-codes', code], `${code} needs a description`);
    }
  }
  const errors = Object.entries(codes).map(([code, { status }]) => ({
    code,
    message: 'A sentence.',
    status,
  }));
  if (!fits(contract, { items: { $ref: ERROR } }, errors)) {
    const message =
      'Error must let through each code with a message and its status: the service answers them by itself';
    yield contract.problemAt(['components', 'schemas', 'Error'], message);
  }
  if (listed.join() !== Object.keys(codes).join()) {
    yield contract.problemAt(place, 'x-extensible-enum follows from x-error-codes: leave it out');
  }
}
