import type { Contract, Plan, ServiceNames } from '@kit/contract';
import type { JsonObject } from '@kit/contract/json-pointer';
import type { SourceDocument, Json } from '../source-document.ts';
import { operationsOf } from '../operations.ts';
import { deprecationsOf, operationValueOf } from './operation-values.ts';
import { plainDocument } from './plain-document.ts';

/** The contract as a value, as generated code has it. */
export function contractOf(contract: SourceDocument, names: ServiceNames): Contract {
  const operations = operationsOf(contract);
  const { info, servers } = contract.document;
  const plans = plansOf(contract);
  return {
    ...names,
    version: info.version,
    basePath: new URL(servers[0].url).pathname,
    document: plainDocument(contract) as JsonObject,
    operations: Object.fromEntries(operations.map((each) => [each.id, operationValueOf(contract, each)])),
    security: Object.fromEntries(operations.map(({ id, security }) => [id, security])),
    deprecations: deprecationsOf(operations),
    plans,
    anonymousQuota: plans['free']?.quota ?? { perMinute: 60, perDay: 1_000 },
  };
}

function plansOf({ document }: SourceDocument): Record<string, Plan> {
  const plans = Object.entries<Json>(document['x-rate-limit-plans']);
  return Object.fromEntries(
    plans.map(([id, { name, perMinute, perDay }]) => [
      id,
      { name, quota: perMinute === 'custom' ? undefined : { perMinute, perDay } },
    ]),
  );
}
