import { type Contract, type Plan, type ServiceNames, VERSION } from '../contract/index.ts';
import type { JsonObject } from '../json/index.ts';
import { ADDRESS_QUOTA, type Quota } from '../limits/index.ts';
import { completed } from './complete.ts';
import { basePathOf } from '../model/index.ts';
import type { SourceDocument, Json } from './source-document.ts';
import { examplesIn } from './examples.ts';
import { inlinedDocument } from './inlined-document.ts';

/** A contract as a value, as generated code has it. */
export function contractOf(written: SourceDocument, names: ServiceNames): Contract {
  return publishedValue(completed(written), names);
}

/** The same of a contract that is completed already. Making the examples compiles every response. */
export function publishedValue(contract: SourceDocument, names: ServiceNames): Contract {
  const { operations } = contract.model;
  const { info, servers } = contract.document;
  const plans = plansOf(contract);
  const scopes = new Set(
    operations.flatMap(({ security }) => security.flat()).flatMap((item) => item.scopes),
  );
  const successes = examplesIn(contract);
  const examples = Object.fromEntries(operations.map((operation) => [operation.id, successes.of(operation)]));
  return {
    ...names,
    version: info.version,
    generator: VERSION,
    basePath: basePathOf(servers[0]),
    document: inlinedDocument(contract) as JsonObject,
    ...(scopes.size > 0 && { scopes: [...scopes] }),
    examples,
    plans,
    anonymousQuota: anonymousQuotaOf(plans),
  };
}

/** The quota of an address without a valid key: that of the plan `free`; none if there are no plans. */
function anonymousQuotaOf(plans: Readonly<Record<string, Plan>>): Quota | undefined {
  if (Object.keys(plans).length === 0) return undefined;
  return plans['free']?.quota ?? ADDRESS_QUOTA;
}

function plansOf({ document }: SourceDocument): Record<string, Plan> {
  const plans = Object.entries<Json>(document['x-rate-limit-plans'] ?? {});
  return Object.fromEntries(
    plans.map(([id, { name, perMinute, perDay }]) => [
      id,
      { name, quota: perMinute === 'custom' ? undefined : { perMinute, perDay } },
    ]),
  );
}
