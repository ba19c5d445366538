import type { ServiceSettings } from '../settings.ts';
import { table } from './output.ts';

/** The environment variables that only this service has, for its help. */
export function settingsHelp(settings: ServiceSettings = {}): string {
  const rows = Object.entries(settings).map(([name, { description, fallback, isRequired }]) => {
    const without = isRequired ? 'required' : fallback === undefined ? 'optional' : `default: ${fallback}`;
    return [`  ${name}`, `${description} (${without})`.trim()];
  });
  if (rows.length === 0) return '';
  return `\n\n${table(['Settings of this service, environment variables:', ''], rows)}`;
}
