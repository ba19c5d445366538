import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import { newFolder } from '@contract-kit/test-support/testing';
import { checkFile } from '../../src/check/check-file.ts';

/* A contract with one part spoilt gets a verdict: it works, or it is refused with a place. */

const SEED = 47;
const RUNS = 10_000;
/** Compiling and serving each takes seconds. */
const FULL_EVERY = 100;

const repository = path.resolve(import.meta.dirname, '../../../../..');
const contractsIn = (folder: string) =>
  readdirSync(path.join(repository, folder))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => path.join(repository, folder, name));
const files = [
  ...contractsIn('packages/test-support/kitchen-sink'),
  ...contractsIn('packages/kit/cli/test/frameworks'),
  ...contractsIn('apps/end-to-end/test/created'),
  path.join(repository, 'examples/invoicing/openapi.yaml'),
  path.join(repository, 'openapi.yaml'),
];
const documents = files.map((file) => readFileSync(file, 'utf8'));

test('more than twenty contracts are spoilt', () => {
  expect(documents.length).toBeGreaterThan(20);
});

type Holder = Record<string, unknown>;
type Place = readonly [holder: Holder, name: string];

/** Every place in a document, once. */
function placesIn(value: unknown, found: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return found;
  for (const name of Object.keys(value)) {
    found.push([value as Holder, name]);
    placesIn((value as Holder)[name], found);
  }
  return found;
}

const VALUES: readonly unknown[] = [
  ...[null, '', 0, -1, 1e21, true, false, [], {}, [null], [[]], 'a'.repeat(300), '\u0000', '__proto__'],
  ...['constructor', '../..', '{id}', '/{a}{b}', '#/paths', '(a+)+$', '[', '\ud800', '2020-01-01', 'null'],
  ...['object', 'array', 'string', 'integer', 'null', 'default', '4XX', '*/*', 'application/json', 'binary'],
  ...[['string', 'null'], { type: 'null' }, { not: {} }, { allOf: [] }, { enum: [] }, { $ref: '#' }],
  ...[{ $ref: '' }, { $ref: '#/components/schemas/None' }, { $ref: '#/components/schemas' }, { $ref: 1 }],
];

const NAMES = VALUES.filter((value) => typeof value === 'string');

/** Ways to spoil the place that `nth` chooses; `other` chooses what with. */
const WAYS: Readonly<Record<string, (place: Place, other: number, all: readonly Place[]) => void>> = {
  remove: ([holder, name]) => void delete holder[name],
  replace: ([holder, name], other) => void (holder[name] = VALUES[other % VALUES.length]),
  rename([holder, name], other) {
    const value = holder[name];
    delete holder[name];
    holder[NAMES[other % NAMES.length] ?? ''] = value;
  },
  exchange([holder, name], other, all) {
    const [from, of] = all[other % all.length] as Place;
    [holder[name], from[of]] = [structuredClone(from[of]), structuredClone(holder[name])];
  },
  copy([holder, name], other, all) {
    const [from, of] = all[other % all.length] as Place;
    holder[name] = structuredClone(from[of]);
  },
  wrap: ([holder, name]) => void (holder[name] = [holder[name]]),
  unwrap: ([holder, name]) => void (holder[name] = Object.values(Object(holder[name]) as object)[0]),
  refer([holder, name], other, all) {
    const [, of] = all[other % all.length] as Place;
    holder[name] = { $ref: `#/components/schemas/${of}` };
  },
};

/** Ways to spoil the line that `nth` chooses. */
const LINES: Readonly<Record<string, (lines: string[], nth: number, other: number) => void>> = {
  'remove a line': (lines, nth) => void lines.splice(nth, 1),
  'repeat a line': (lines, nth) => void lines.splice(nth, 0, lines[nth] ?? ''),
  'indent a line': (lines, nth) => void (lines[nth] = `  ${lines[nth]}`),
  'cut a line': (lines, nth, other) =>
    void (lines[nth] = lines[nth]?.slice(0, other % (lines[nth].length + 1)) ?? ''),
  'move a line': (lines, nth, other) => void lines.splice(other % lines.length, 0, ...lines.splice(nth, 1)),
};

function spoilt(text: string, way: string, nth: number, other: number): string {
  if (way in LINES) {
    const lines = text.split('\n');
    LINES[way]?.(lines, nth % lines.length, other);
    return lines.join('\n');
  }
  const document: unknown = parse(text);
  const all = placesIn(document);
  WAYS[way]?.(all[nth % all.length] as Place, other, all);
  return JSON.stringify(document, undefined, 1);
}

/** What `npm run contract:check` may print: a verdict, if there is one for the whole contract, and places in the file. */
function isVerdict(works: boolean, lines: readonly string[]): boolean {
  const [first = '', ...rest] = lines;
  const isPlaced = (line: string) => /^contract\.yaml:\d+:\d+: \S.*[^\s]$/s.test(line);
  const isCount = /^contract\.yaml: \d+ of \d+ operations (work|can be generated from): /.test(first);
  const isClean = lines.every(
    (line) => !/\n\s+at |contract-check-|node_modules|undefined|\[object /.test(line),
  );
  return (
    isClean &&
    rest.every(isPlaced) &&
    (works ? /^contract\.yaml: \w/.test(first) : isCount || isPlaced(first))
  );
}

test(`each of ${RUNS} mutations gets a verdict`, async () => {
  const file = path.join(newFolder(), 'contract.yaml');
  const wrong: unknown[] = [];
  const mutation = fc.tuple(
    fc.constantFrom(...documents.keys()),
    fc.constantFrom(...Object.keys(WAYS), ...Object.keys(LINES)),
    fc.nat(),
    fc.nat(),
  );
  for (const [run, [index, way, nth, other]] of fc
    .sample(mutation, { seed: SEED, numRuns: RUNS })
    .entries()) {
    writeFileSync(file, spoilt(documents[index] ?? '', way, nth, other));
    const { works, lines } = await checkFile(file, { isQuick: run % FULL_EVERY > 0 });
    const shown = lines.map((line) => line.replaceAll(file, 'contract.yaml'));
    if (!isVerdict(works, shown)) wrong.push({ run, index, way, nth, other, shown });
  }
  expect(wrong).toEqual([]);
}, 7_200_000);
