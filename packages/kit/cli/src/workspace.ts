import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../../../..');

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
/** Where the settings of every service are declared, from the root, and those of this one, if it has any. */
export const settingsFile = 'packages/kit/server/src/config.ts';
export const ownSettingsFile = `${featuresFolder}/settings.ts`;
