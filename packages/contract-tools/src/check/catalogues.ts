import type { Contract, Json, Problem } from '../contract.ts';
import { fits } from '../support/fits.ts';
import { serverName } from '../operations.ts';
import { ERROR, OWN_CODES } from './responses.ts';

/** What the service answers by itself, with the status of each. */
const OF_THE_SERVICE: readonly (readonly [code: string, status: number])[] = [
  ...Object.entries(OWN_CODES).map(([status, code]) => [code, Number(status)] as const),
  ['not_found', 404],
  ['method_not_allowed', 405],
  ['request_timeout', 408],
  ['expectation_failed', 417],
  ['api_key_banned', 429],
  ['request_header_fields_too_large', 431],
];

export function* checkServers(contract: Contract): Iterable<Problem> {
  const servers: Json[] = contract.document.servers;
  const [, major = 'N'] = /^(\d+)\.\d+\.\d+$/.exec(contract.document.info.version) ?? [];
  if (major === 'N')
    yield contract.problemAt(['info', 'version'], 'the version must be three numbers, such as 1.0.0');
  if (servers.every((server) => !URL.canParse(server.url) || serverName(server) !== 'production'))
    yield contract.problemAt(
      ['servers'],
      'one server needs a description that begins with Production: clients call it unless told another',
    );
  for (const [index, server] of servers.entries()) {
    if (URL.canParse(server.url) && new URL(server.url).pathname !== new URL(servers[0].url).pathname) {
      const message = 'the path is not that of the first server: the service has one';
      yield contract.problemAt(['servers', index, 'url'], message);
    }
    if (URL.canParse(server.url) && serverName(server) === '')
      yield contract.problemAt(
        ['servers', index],
        'the server needs a description with a word of a to z: the first is its name in the client',
      );
    if (major !== 'N' && !server.url.endsWith(`/v${major}`)) {
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
  for (const [code, status] of OF_THE_SERVICE.filter(([each, its]) => codes[each]?.status !== its)) {
    const message = `the service answers ${code} by itself: it needs a description here, and the status ${status}`;
    yield contract.problemAt(['x-error-codes', code], message);
  }
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
