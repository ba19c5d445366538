import { contractAjv } from '@kit/contract/contract-ajv';
import { pipelineErrors } from '@kit/contract/pipeline-errors';
import type { SourceDocument, Json, Problem } from '../source-document.ts';
import { violationOf } from '../support/violation.ts';
import { serverName } from '../operations.ts';
import { CODES, ERROR } from './responses.ts';

const PLANS = 'x-rate-limit-plans';

export function* checkServers(contract: SourceDocument): Iterable<Problem> {
  const [, major] = /^(\d+)\.\d+\.\d+$/.exec(contract.document.info?.version ?? '') ?? [];
  if (major === undefined)
    yield contract.problemAt(['info', 'version'], 'the version must be three numbers, such as 1.0.0');
  // Another rule reports malformed addresses.
  const servers = ((contract.document.servers ?? []) as Json[])
    .map(({ url, description }, index) => ({ url, description, place: ['servers', index] }))
    .filter(({ url }) => URL.canParse(url));
  if (!servers.some((server) => serverName(server) === 'production'))
    yield contract.problemAt(
      ['servers'],
      'one server must have a description that starts with "Production": clients use it by default',
    );
  for (const { url, description, place } of servers) {
    if (new URL(url).pathname !== new URL(servers[0]?.url).pathname) {
      const message = 'the path is not that of the first server: the service has one';
      yield contract.problemAt([...place, 'url'], message);
    }
    if (serverName({ url, description }) === '')
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

/** Rule `errors`: every error has the schema Error, and a code that the contract describes. */
export function* checkErrorCodes(contract: SourceDocument): Iterable<Problem> {
  const codes: Record<string, Json> = contract.document[CODES] ?? {};
  for (const [code, error] of Object.entries(pipelineErrors)) {
    const { status } = error;
    if (codes[code]?.status === status || 'optional' in error) continue;
    const message = `the service answers ${code} by itself: it needs a description here, and the status ${status}`;
    yield contract.problemAt([CODES, code], message);
  }
  const { Error: error } = contract.document.components?.schemas ?? {};
  const { type, enum: values, const: value } = error?.properties?.code ?? {};
  if (type !== 'string' || values || value) {
    const message =
      'every error has the schema Error, an object with the properties code, message and status';
    yield contract.problemAt(
      ['components', 'schemas', 'Error', 'properties', 'code'],
      `${message}: code is { type: string }, whose values follow from x-error-codes`,
    );
    return;
  }
  const errors = Object.entries(codes).map(([code, { status }]) => {
    return { code, message: 'A sentence.', status };
  });
  const { components } = contract.document;
  const schema = { items: { $ref: ERROR }, components };
  if (violationOf(contractAjv({ logger: false }), schema, errors)) {
    const message =
      'Error must let through each code with a message and its status: the service answers them by itself';
    yield contract.problemAt(['components', 'schemas', 'Error'], message);
  }
  if (error.properties.code['x-extensible-enum']?.join() !== Object.keys(codes).join()) {
    const place = ['components', 'schemas', 'Error', 'properties', 'code', 'x-extensible-enum'];
    yield contract.problemAt(place, 'x-extensible-enum follows from x-error-codes: leave it out');
  }
}
