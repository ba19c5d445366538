import path from 'node:path';

/** The root of the workspace. */
export const root = path.resolve(import.meta.dirname, '../../../..');

export const contractFile = path.join(root, 'openapi.yaml');
export const serviceFile = path.join(root, 'service.json');

/** What is generated, from the root. */
export const generatedFolder = 'packages/contract/src/generated';
export const clientFolder = 'packages/client/src';
export const clientManifestFile = 'packages/client/package.json';
export const contractPageFile = 'docs/contract.md';
