import { meanings, settings, type ShownSettings } from '@contract-kit/server/internals';
import { serviceSettingsFile } from '../workspace.ts';
import { tableOf } from './table.ts';

/** The page of the service's settings. */
export function configurationPage(own: ShownSettings): string {
  const shown: ShownSettings = { ...own, ...settings };
  const meaningOf: Readonly<Record<string, string>> = meanings;
  const rows = Object.entries(shown).map(([name, { fallback, isRequired, description }]) => [
    `\`${name}\``,
    isRequired ? 'required' : fallback ? `\`${fallback}\`` : 'none',
    description ?? meaningOf[name] ?? '',
  ]);
  const sources = [
    ...(Object.keys(own).length > 0 ? [serviceSettingsFile] : []),
    '@contract-kit/server',
  ].join(' and ');
  return `<!-- Generated from ${sources} by \`npm run generate\`. Do not edit. -->

# Configuration

The service reads these environment variables when it starts. A value that it cannot use stops the start: the message names every wrong variable.

${tableOf([['Variable', 'Default', 'Meaning'], ...rows])}
`;
}
