import path from 'node:path';

/** The root of the workspace. */
export const root = path.resolve(import.meta.dirname, '../../..');

export const contractFile = path.join(root, 'openapi.yaml');
export const generatedFolder = path.join(root, 'packages/contract/src/generated');
export const clientManifestFile = path.join(root, 'packages/client/package.json');
export const contractPageFile = path.join(root, 'docs/contract.md');
