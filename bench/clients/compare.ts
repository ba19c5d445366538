import { peers, type PeerName } from './peer.ts';
import { scenarios } from './scenarios.ts';

/** What one client does in one scenario. */
export interface Finding {
  readonly scenario: string;
  readonly peer: PeerName;
  readonly finding: string;
}

/**
 * Runs every client against the same servers that misbehave, and prints a table in Markdown for each scenario as soon
 * as it is known. Clients of a scenario run side by side, so it takes about a minute.
 */
export async function compareClients(print: (line: string) => void): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const scenario of scenarios) {
    const rows = await Promise.all(
      (Object.keys(peers) as PeerName[]).map(async (peer) => ({
        scenario: scenario.title,
        peer,
        finding: await scenario.run(peer),
      })),
    );
    findings.push(...rows);
    print(`### ${scenario.title}\n`);
    const width = Math.max(...rows.map(({ peer }) => peer.length));
    const line = (peer: string, finding: string) => `| ${peer.padEnd(width)} | ${finding} |`;
    print(line('Client', 'What it does'));
    print(line('-'.repeat(width), '---'));
    for (const { peer, finding } of rows) print(line(peer, finding));
    print('');
  }
  return findings;
}
