import { pino } from 'pino';
import type { Contract } from '@contract-kit/core';
import { readModel, type Model } from '@contract-kit/core/model';
import { readConfig } from './config.ts';
import { defineService, type ServiceDefinition } from './feature.ts';
import { createKey, NO_PLAN } from './keys/create-key.ts';
import { createMetrics } from './metrics.ts';
import { asSent, type AnyHandler } from './pipeline/dispatch.ts';
import { startService } from './start.ts';

/** Starts a server of a contract without features, with a key that may do everything. Responses are validated. */
export async function startForCheck(
  contract: Contract,
  {
    dataDir,
    handlerOf,
    model = readModel(contract.document),
    now,
    ...rest
  }: Pick<ServiceDefinition, 'errorBody'> & {
    readonly dataDir: string;
    readonly handlerOf: (operationId: string) => AnyHandler;
    /** Of the contract, if it was read already. */
    readonly model?: Model;
    /** Its clock. */
    readonly now?: () => number;
  },
) {
  const handlers = model.operations.map(({ id }) => [id, handlerOf(id)] as const);
  const feature = { open: () => ({}), handlers: () => Object.fromEntries(handlers) };
  const definition = defineService(
    contract,
    { all: feature },
    { ...rest, version: '0.0.0', description: '' },
  );
  const service = await startService(definition, {
    config: readConfig({ PORT: '0', DATA_DIR: dataDir }),
    metrics: createMetrics({ name: contract.name, version: '0.0.0' }),
    log: pino({ enabled: false }),
    writeLine: () => undefined,
    model,
    validatesResponses: true,
    ...(now && { now, monotonic: now }),
  });
  const quota = { perMinute: 1_000_000, perDay: 1_000_000 };
  const plan = Object.keys(contract.plans)[0] ?? NO_PLAN;
  const newKey = async (scopes = contract.scopes ?? []) => {
    const wanted = { name: 'check', plan, quota, now: new Date(), scopes };
    return (await createKey(service.store.keys, contract, wanted)).key;
  };
  return {
    origin: service.origin,
    store: service.store,
    key: await newKey(),
    newKey,
    /** The example of an operation, as a handler that is not finished yet sends it. */
    exampleOf(id: string) {
      const { examples } = contract;
      const example = Object.hasOwn(examples, id) ? examples[id] : undefined;
      return example && asSent(example, model.operationOf.get(id));
    },
    stop: () => service.stop(),
  };
}
