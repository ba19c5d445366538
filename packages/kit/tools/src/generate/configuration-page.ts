import path from 'node:path';
import { root, settingsFile } from '../workspace.ts';
import { tableOf } from './table.ts';

interface Settings {
  readonly settings: Readonly<Record<string, { readonly fallback?: string }>>;
  readonly meanings: Readonly<Record<string, string>>;
}

/** The page of the service's settings. It loads them by path: the packages of server and tools form no cycle. */
export async function configurationPage(): Promise<string> {
  const { settings, meanings } = (await import(path.join(root, settingsFile))) as Settings;
  const rows = Object.entries(settings).map(([name, { fallback }]) => [
    `\`${name}\``,
    fallback ? `\`${fallback}\`` : 'none',
    meanings[name] ?? '',
  ]);
  return `<!-- Generated from ${settingsFile} by \`npm run generate\`. Do not edit. -->

# Configuration

The service reads these environment variables when it starts. A value that it cannot use stops the start: the message names every wrong variable.

${tableOf([['Variable', 'Default', 'Meaning'], ...rows])}
`;
}
