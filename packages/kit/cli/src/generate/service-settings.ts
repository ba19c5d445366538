import { existsSync } from 'node:fs';
import path from 'node:path';
import type { ShownSettings } from '@contract-kit/server/internals';
import { importSource } from './import-source.ts';
import { serviceSettingsFile, root } from '../workspace.ts';

/** The settings that only this service has, by name. */
export async function serviceSettings(): Promise<ShownSettings> {
  const file = path.join(root, serviceSettingsFile);
  if (!existsSync(file)) return {};
  return (await importSource<{ settings: ShownSettings }>(file)).settings;
}
