import { existsSync } from 'node:fs';
import path from 'node:path';

/** The nearest folder at or above `folder` that has a service.json; `folder` if none has. */
function rootOf(folder: string): string {
  for (let place = folder; ; place = path.dirname(place)) {
    if (existsSync(path.join(place, 'service.json'))) return place;
    if (place === path.dirname(place)) return folder;
  }
}

/** The repository in which the command runs. */
export const root = rootOf(process.cwd());

export const contractFile = path.join(root, 'openapi.yaml');
export const releasedName = 'openapi.released.yaml';
export const serviceFile = path.join(root, 'service.json');

/** Where the features of the service are, from the root. */
export const featuresFolder = 'apps/server/src';

/** The function of the service that makes the bodies of errors, if it has one. */
export const errorBodyFile = `${featuresFolder}/error-body.ts`;

/** The generated folders, from the root. */
export const generatedFolder = 'packages/contract/src/generated';
export const clientFolder = 'packages/client/src';
/** Released together, under the version of the contract. */
export const releasedFolders = ['packages/contract', 'packages/client', 'packages/mcp', 'apps/server'];
export const contractPageFile = 'docs/contract.md';
export const toolsPageFile = 'packages/mcp/README.md';
export const configurationPageFile = 'docs/configuration.md';
/** Where the settings of this service are declared, if it has any, from the root. */
export const serviceSettingsFile = `${featuresFolder}/settings.ts`;
