import { pathToFileURL } from 'node:url';
import { tsImport } from 'tsx/esm/api';

/** The exports of a source file of the service, which is in TypeScript: not every Node.js runs that. */
export const importSource = <Exports>(file: string): Promise<Exports> =>
  tsImport(pathToFileURL(file).href, import.meta.url) as Promise<Exports>;
