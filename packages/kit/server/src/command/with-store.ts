import { existsSync } from 'node:fs';
import { keepTemporaryFilesIn, readConfig } from '../config.ts';
import { filesIn } from '../data-dir.ts';
import type { Features, ServiceDefinition } from '../feature.ts';
import { OperatorError } from '../operator-error.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';

/** Opens the whole store for one command, and closes it. */
export type OpenStore<Of extends Features = Features> = <Result>(
  work: (store: Store<Of>) => Promise<Result>,
  options?: { readonly mayCreate?: boolean },
) => Promise<Result>;

/** Opens the configured store for one command. Throws an OperatorError if there is none, unless the command `mayCreate` it. */
export function storeOpener<Of extends Features>(service: ServiceDefinition<Of>): OpenStore<Of> {
  return async (work, { mayCreate = false } = {}) => {
    const config = readConfig();
    const { name, databaseFile } = service.contract;
    const { store: file } = filesIn(config.dataDir, databaseFile);
    if (config.databaseUrl === undefined && !mayCreate && !existsSync(file)) {
      throw new OperatorError(
        `there is no store in ${config.dataDir}: set DATA_DIR to its folder, or create one with \`${name} keys create\``,
      );
    }
    keepTemporaryFilesIn(config.dataDir);
    const store = await openStore(service, config);
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  };
}
