import type { Contract } from '@contract-kit/core';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { filesIn } from '../data-dir.ts';
import type { ServiceDefinition } from '../feature.ts';
import { apiKeyFormat, DEMO_KEY, digestOf } from '../keys/api-key.ts';
import { createKey, NO_PLAN } from '../keys/create-key.ts';
import { asOperatorError } from '../operator-error.ts';
import type { Store } from './store.ts';

/** Fills the empty store of each feature with demonstration data. */
export async function seedDemoData({ features }: ServiceDefinition, store: Store): Promise<void> {
  for (const [name, { demo }] of Object.entries(features)) await demo?.(store.features[name]);
}

/** The same key at every start. It is stored unencrypted, so only `serve --demo` accepts it. */
export async function demoKey(
  contract: Contract,
  { keys }: Store,
  dataDir: string,
  now: Date,
): Promise<string> {
  const { keyPrefix, databaseFile, plans } = contract;
  const { scopes = [] } = contract;
  const file = filesIn(dataDir, databaseFile).demoKey;
  const plan = Object.keys(plans)[0] ?? NO_PLAN;
  try {
    const stored = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
    const digest = digestOf(stored);
    const known = apiKeyFormat(keyPrefix).isWellFormed(stored)
      ? (await keys.findActive([digest])).get(digest)
      : undefined;
    // The contract may require new scopes.
    if (known?.id.startsWith(DEMO_KEY) && scopes.every((scope) => known.scopes?.includes(scope)))
      return stored;
    const { key } = await createKey(keys, contract, { name: 'demo', plan, now, scopes, isDemo: true });
    writeFileSync(file, `${key}\n`, { mode: 0o600 });
    chmodSync(file, 0o600);
    return key;
  } catch (error) {
    throw asOperatorError(`cannot keep a key in ${file}`, error);
  }
}
