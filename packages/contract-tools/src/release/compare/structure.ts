import { stepsOf } from '@petstore/contract/json-pointer';
import { headersOfDeprecation } from '@petstore/contract/pipeline-headers';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runRedocly } from '../../redocly.ts';
import { placeOf, type Change, type Impact, type Pair } from '../change.ts';
import { OPEN_LISTS } from './open-lists.ts';
import { subjectOf, whatOf, type StructuralChange } from './structure-words.ts';

const CONFIG = join(import.meta.dirname, '../redocly.yaml');

interface Report {
  readonly reportVersion: string;
  readonly changes: readonly StructuralChange[];
}

/** What Redocly sees: paths, parameters, bodies, schemas. What it overlooks has comparisons of its own. */
export async function compareStructure(pair: Pair): Promise<Change[]> {
  const changes = await diff(pair);
  return changes
    .filter((change) => !isComparedElsewhere(change))
    .map((change): Change => {
      const side = change.kind === 'removed' ? 'base' : 'revision';
      const path = stepsOf(change.path);
      const written = change[side] ? stepsOf(change[side].pointer) : path;
      return {
        impact: impactOf(change, pair),
        subject: subjectOf(path, written),
        what: whatOf(change),
        place: placeOf(pair, side, written),
      };
    });
}

async function diff({ base, revision }: Pair): Promise<readonly StructuralChange[]> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-release-'));
  try {
    // As JSON, because Redocly takes what a YAML alias repeats for gone.
    await writeFile(join(folder, 'base.json'), JSON.stringify(base.document));
    await writeFile(join(folder, 'revision.json'), JSON.stringify(revision.document));
    const args = ['diff', 'base.json', 'revision.json', `--config=${CONFIG}`, '--fail-on=none'];
    const [report] = await runRedocly<Report>(args, folder);
    // The command is experimental: a report of another form must not pass for one without changes.
    if (report?.reportVersion !== '1')
      throw new Error('redocly diff reports in a form that is not known here');
    return report.changes;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const COMPARED_ELSEWHERE: Record<string, readonly string[]> = {
  Header: ['required'],
  Info: ['version'],
  Operation: ['deprecated', 'x-deprecated-since', 'x-deprecated-sunset', 'x-stability'],
  Server: ['url', 'host', 'pathname', 'protocol'],
};

function isComparedElsewhere({ typeName, kind, property = '', path }: StructuralChange): boolean {
  if (typeName === 'SpecExtension' && (stepsOf(path).at(-1) ?? '') in OPEN_LISTS) return true;
  if (typeName.startsWith('SecurityRequirement')) return true;
  if (typeName.startsWith('Server') && kind !== 'modified') return true;
  return COMPARED_ELSEWHERE[typeName]?.includes(property) ?? false;
}

function impactOf(
  { path: pointer, typeName, kind, property, impact }: StructuralChange,
  { revision }: Pair,
): Impact {
  // To announce an end is more than to reword a description.
  if (property === 'deprecated') return 'minor';
  const [root = '', route = '', method = '', ...rest] = stepsOf(pointer);
  const isNotice = typeName === 'Header' && headersOfDeprecation.some((name) => name === rest.at(-1));
  // Where nothing goes away any more, its notice does.
  if (isNotice && kind === 'removed' && !revision.document[root]?.[route]?.[method]?.deprecated)
    return 'minor';
  return impact;
}
