import { compareClients } from '../../clients/compare.ts';
import type { Bench } from '../bench.ts';
import type { PartResult, Table } from '../result.ts';
import type { Part } from './part.ts';

/** What clients do where a server or a caller does not behave. */
export const clients: Part = {
  name: 'clients',
  about: 'what clients do on servers that misbehave, ours and others',
  async run(bench: Bench): Promise<PartResult> {
    const title = 'Clients on servers that misbehave';
    const findings = await compareClients((line) => {
      bench.signal.throwIfAborted();
      if (line.startsWith('#')) bench.progress.step(`${title}: ${line.replace(/^#+ /, '').trim()}`);
    });
    const tables = new Map<string, string[][]>();
    for (const { scenario, peer, finding } of findings)
      tables.set(scenario, [...(tables.get(scenario) ?? []), [peer, finding]]);
    return {
      title,
      tables: [...tables].map(([scenario, rows]): Table => ({ head: [scenario, 'What it does'], rows })),
      claims: [],
    };
  },
};
