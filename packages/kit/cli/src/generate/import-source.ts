import { createJiti } from 'jiti';

/** The exports of a source file of the service, which is in TypeScript: not every Node.js runs that. */
export const importSource = <Exports>(file: string): Promise<Exports> =>
  createJiti(import.meta.url, { moduleCache: false, fsCache: false }).import<Exports>(file);
