import { checkCatalogue, headersOf } from './catalogue-conformance.ts';
import type { CatalogueRow } from './catalogue-rows.ts';
import { cataloguePeers, startCatalogue, startCataloguePeer } from './catalogue-servers.ts';
import { measureLoad, warmUp, type Load } from './load.ts';
import type { Section } from './report.ts';
import { attempt, measureInRounds, type Run, type Stops } from './run.ts';
import type { Server } from './server.ts';
import { formatRatio, formatSpread, ratios, targetText } from './statistics.ts';

const OURS = 'kit';
const UNVALIDATED = 'without the validator';

const NOTE = `A service with handlers as anybody writes them: the kit's server of [another contract](catalogue/openapi.yaml), bundled as \`npm run build\` bundles a service. Products are in memory, nothing is cached or batched, and every server writes an access log to a file. The columns of the others show their CPU time per request, as a multiple of the service's.

In rows that end in \`-keys\`, requests have a key and count against a plan. The service looks up keys in its database and counts a minute and a day; Fastify has @fastify/bearer-auth with the key in memory, and @fastify/rate-limit, which counts a minute.

"Validator" is the part of the service's CPU time that express-openapi-validator takes for the parameters: what a service needs less in which an empty middleware replaces that package, and nothing else differs. A body is validated without it. The target for Fastify is judged without it, and then with it: the plain ratio.`;

/** The catalogue served by the kit, and by its peers. */
export async function measureCatalogue(run: Run, rows: readonly CatalogueRow[]): Promise<Section> {
  const lines: (readonly string[])[] = [];
  for (const row of rows) {
    const line = await attempt(run, row.name, (stops) => compare(run, row, stops));
    if (line) lines.push(line);
  }
  return {
    title: "Anybody's handler",
    note: NOTE,
    head: ['', 'requests/s', 'CPU µs/request', 'validator', ...cataloguePeers, 'target'],
    rows: lines,
  };
}

/** The load of a row, with `key`. */
export function loadOf({ request, status }: CatalogueRow, key: string): Load {
  return { request: { ...request, headers: headersOf(request, key) }, status };
}

async function compare(run: Run, row: CatalogueRow, stops: Stops): Promise<string[]> {
  const contract = row.isKeyed ? 'keyed' : 'open';
  const subjects: { readonly server: Server; readonly load: Load }[] = [];
  const add = (server: Server, key: string) => {
    stops.push(() => server.stop());
    subjects.push({ server, load: loadOf(row, key) });
  };
  const { server, key } = await startCatalogue(run, contract, { name: OURS });
  add(server, key);
  await checkCatalogue(server, key);
  if (row.isValidated) {
    const unvalidated = await startCatalogue(run, contract, { name: UNVALIDATED, isValidated: false });
    add(unvalidated.server, unvalidated.key);
  }
  for (const peer of row.isKeyed ? (['fastify'] as const) : cataloguePeers) {
    const other = await startCataloguePeer(run, peer, key);
    add(other, key);
    await checkCatalogue(other, key);
  }
  for (const { server, load } of subjects) {
    run.say(`${row.name}: warming up ${server.name}`);
    await warmUp((seconds) => measureLoad(server, load, seconds));
  }
  const loads = subjects.map(
    ({ server, load }) => [server.name, () => measureLoad(server, load, run.seconds)] as const,
  );
  const samples = await measureInRounds(run, row.name, Object.fromEntries(loads));
  const cpuOf = (name: string) => (samples[name] ?? []).map(({ cpu }) => cpu);
  const own = cpuOf(OURS);
  const unvalidated = row.isValidated ? cpuOf(UNVALIDATED) : own;
  const parts = ratios(unvalidated, own).map((ratio) => 1 - ratio);
  return [
    row.name,
    formatSpread((samples[OURS] ?? []).map(({ perSecond }) => perSecond)),
    formatSpread(own),
    row.isValidated ? formatSpread(parts, (part) => `${Math.round(part * 100)} %`) : '',
    ...cataloguePeers.map((peer) =>
      peer in samples ? formatSpread(ratios(cpuOf(peer), own), formatRatio) : '',
    ),
    Object.entries(row.targets)
      .map(([name, target]) => {
        const plain = ratios(cpuOf(name), own);
        const isAdjusted = name === 'fastify' && row.isValidated;
        return targetText(name, target, plain, isAdjusted ? ratios(cpuOf(name), unvalidated) : undefined);
      })
      .join('; '),
  ];
}
