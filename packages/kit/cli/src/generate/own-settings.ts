import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ownSettingsFile, root } from '../workspace.ts';

/** What pages and deploy files say of a setting. */
export interface ShownSetting {
  readonly description?: string;
  readonly fallback?: string;
  readonly isRequired?: boolean;
}

export type ShownSettings = Readonly<Record<string, ShownSetting>>;

/** The settings that only this service has, by name. */
export async function ownSettings(): Promise<ShownSettings> {
  const file = path.join(root, ownSettingsFile);
  if (!existsSync(file)) return {};
  return ((await import(pathToFileURL(file).href)) as { settings: ShownSettings }).settings;
}

/** The values of settings in the templates of deploy files. */
export function settingValues(settings: ShownSettings) {
  const entries = Object.entries(settings);
  const inCompose = entries.map(([name, { isRequired }]) => {
    return `\n    ${name}: \${${name}:${isRequired ? '?is required' : '-'}}`;
  });
  const required = entries.flatMap(([name, { isRequired }]) => (isRequired ? [name] : []));
  return {
    settings: inCompose.join(''),
    requiredSettings: required.length === 0 ? '' : `; it must have ${required.join(', ')}`,
  };
}
