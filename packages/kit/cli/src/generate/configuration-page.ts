import path from 'node:path';
import { ownSettingsFile, root, settingsFile } from '../workspace.ts';
import type { ShownSettings } from './own-settings.ts';
import { tableOf } from './table.ts';

interface Settings {
  readonly settings: ShownSettings;
  readonly meanings: Readonly<Record<string, string>>;
}

/** The page of the service's settings. It loads them by path: the packages of server and tools form no cycle. */
export async function configurationPage(own: ShownSettings): Promise<string> {
  const { settings, meanings } = (await import(path.join(root, settingsFile))) as Settings;
  const rows = Object.entries({ ...own, ...settings }).map(
    ([name, { fallback, isRequired, description }]) => [
      `\`${name}\``,
      isRequired ? 'required' : fallback ? `\`${fallback}\`` : 'none',
      description ?? meanings[name] ?? '',
    ],
  );
  const sources = Object.keys(own).length > 0 ? `${ownSettingsFile} and ${settingsFile}` : settingsFile;
  return `<!-- Generated from ${sources} by \`npm run generate\`. Do not edit. -->

# Configuration

The service reads these environment variables when it starts. A value that it cannot use stops the start: the message names every wrong variable.

${tableOf([['Variable', 'Default', 'Meaning'], ...rows])}
`;
}
