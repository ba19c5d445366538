import type { Contract, Plan, ServiceNames } from '../contract.ts';
import type { JsonObject } from '../json-pointer.ts';
import { ADDRESS_QUOTA, type Quota } from '../windows.ts';
import { completed } from './complete.ts';
import { hasScopes, modelOf, type Operation } from '../model/model.ts';
import { basePathOf } from './operations.ts';
import { VERSION } from '../version.ts';
import type { SourceDocument, Json } from './source-document.ts';
import { examplesIn } from './examples.ts';
import { deprecationsOf, operationValuesOf } from './operation-values.ts';
import { plainDocument } from './plain-document.ts';

/** Making examples compiles every response: once for the generated code and a server of it. */
const known = new WeakMap<SourceDocument, Contract['examples']>();

/** The contract as a value for generated code. */
export function contractOf(written: SourceDocument, names: ServiceNames): Contract {
  const contract = completed(written);
  const model = modelOf(contract.document);
  const { operations } = model;
  const { info, servers } = contract.document;
  const plans = plansOf(contract);
  const scoped = operations.filter(hasScopes);
  const exampleOf = examplesIn(contract);
  const examples =
    known.get(contract) ??
    Object.fromEntries(operations.map((operation) => [operation.id, exampleOf(operation)]));
  known.set(contract, examples);
  return {
    ...names,
    version: info.version,
    generator: VERSION,
    basePath: basePathOf(servers[0]),
    document: plainDocument(contract) as JsonObject,
    operations: operationValuesOf(model),
    security: ofEach(operations, ({ security }) => security.map((all) => all.map(({ scheme }) => scheme))),
    ...(scoped.length > 0 && {
      scopes: ofEach(scoped, ({ security }) => security.map((all) => all.flatMap(({ scopes }) => scopes))),
    }),
    deprecations: deprecationsOf(operations),
    examples,
    plans,
    anonymousQuota: anonymousQuotaOf(plans),
  };
}

function ofEach<Value>(operations: readonly Operation[], value: (operation: Operation) => Value) {
  return Object.fromEntries(operations.map((operation) => [operation.id, value(operation)]));
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
