import type { Bench } from '../bench.ts';
import { checkConformance } from '../conformance.ts';
import { copyData, type Data } from '../data.ts';
import { startRaw } from '../raw.ts';
import { speedRatio, type Bar } from '../result.ts';
import type { Measured } from '../rounds.ts';
import { peers, startPeer, startPetstore, type Server, type Settings } from '../server.ts';

export const RAW = 'node:http';
export const OURS = 'petstore';
export const NOT_REMEMBERED = 'petstore, list not remembered';

export interface Contestants extends Settings {
  /** Also our service with the remembered list switched off. */
  readonly notRemembered?: boolean;
  /** Whether the list is looked at before the timing: not where it is long and not asked for. */
  readonly checkList?: boolean;
}

/** The limit, ours and the peers, each on its own copy of `data`, each checked before it is timed. */
export async function startContestants(
  bench: Bench,
  data: Data,
  { notRemembered = false, checkList = true, ...settings }: Contestants = {},
): Promise<Server[]> {
  bench.progress.step(`starting the servers on ${data.count} orders`);
  const ours = await startPetstore(bench, copyData(data, OURS), settings);
  const raw = await startRaw(bench, await checkConformance(OURS, ours.origin, data, checkList));
  const servers = [raw, ours];
  if (notRemembered) {
    const env = { REMEMBER_LIST: 'off' };
    servers.push(
      await startPetstore(bench, copyData(data, 'plain'), { ...settings, env, name: NOT_REMEMBERED }),
    );
  }
  for (const peer of peers) servers.push(await startPeer(bench, peer, copyData(data, peer), settings));
  for (const server of servers) {
    if (server !== ours) await checkConformance(server.name, server.origin, data, checkList);
  }
  return servers;
}

/** What the chart shows of servers under one load. */
export function ratioBars(measured: readonly Measured[]): Bar[] {
  return measured
    .filter(({ name }) => name !== RAW)
    .map(({ name }) => ({ name, ratio: speedRatio(measured, name, RAW) }));
}
