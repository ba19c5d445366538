import { readFileSync } from 'node:fs';
import path from 'node:path';
import { generate, written } from '../src/generate/generate.ts';
import { root } from '../src/workspace.ts';

/** The pattern of a place: a folder ends with a slash, or with `**` as Turbo writes it. */
function patternOf(place: string): RegExp {
  const text = place
    .replace(/\/$/, '/**')
    .replaceAll('.', '\\.')
    .replaceAll('**', '.+')
    .replaceAll('*', '[^/]+')
    .replaceAll(/\{(.*?)\}/g, (_, names: string) => `(${names.replaceAll(',', '|')})`);
  return new RegExp(`^${text}$`);
}

test('the help of generate and the outputs in turbo.json name what generate writes', async () => {
  const files = Object.keys(await generate());
  const places = Object.keys(written).map(patternOf);
  expect(files.filter((file) => !places.some((place) => place.test(file)))).toEqual([]);
  expect(places.filter((place) => !files.some((file) => place.test(file)))).toEqual([]);
  const turbo = readFileSync(path.join(root, 'turbo.json'), 'utf8').replaceAll(/^ *\/\/.*$/gm, '');
  const { tasks } = JSON.parse(turbo) as { tasks: Record<string, { outputs: string[] }> };
  const outputs = (tasks['//#generate']?.outputs ?? []).map(patternOf);
  expect(files.filter((file) => !outputs.some((output) => output.test(file)))).toEqual([]);
});
