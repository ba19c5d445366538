import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { errorBodiesOf } from '@contract-kit/server/internals';
import type { Problem } from '@contract-kit/core/openapi';
import type { Progress } from '../progress.ts';
import type { Checked } from './checked.ts';
import { tryOperations } from './try-operations.ts';

function unfilledBy(violation: string): string {
  const remedy = violation.endsWith('in oneOf')
    ? 'write anyOf if more than one may fit'
    : 'give the field an example that fits, or do not require it';
  return `no error that the server sends fits this response: ${violation}; ${remedy}`;
}

export interface Outcome {
  readonly wrong: readonly Problem[];
  /** The operations of which a part could not be tried, by their names. */
  readonly untried: ReadonlyMap<string, Problem>;
}

/** Starts a server of a contract whose client is in `folder`, and tries each operation. */
export async function serveFile(
  { written: source, published, value, errors }: Checked,
  folder: string,
  progress: Progress,
): Promise<Outcome> {
  const { model } = published;
  const { unfilled } = errorBodiesOf(model, errors?.errorBody);
  if (unfilled.length > 0) {
    const places = unfilled.map(({ operation, response, violation }) => {
      return { pointer: [...operation.pointer, 'responses', response], violation };
    });
    // The others take their shape from one that the author has declared.
    const declared = places.filter(({ pointer }) => source.valueAt(pointer) !== undefined);
    const wrong = (declared.length > 0 ? declared : places).map(({ pointer, violation }) =>
      source.problemAt(pointer, unfilledBy(violation)),
    );
    return { wrong, untried: new Map() };
  }
  const dataDir = await mkdtemp(path.join(tmpdir(), 'contract-check-'));
  const { found, ofPages } = await tryOperations(value, published, {
    folder,
    progress,
    dataDir,
    ...(errors && { errorBody: errors.errorBody }),
  }).finally(() => rm(dataDir, { recursive: true, force: true }));
  const at = (id: string, message: string) =>
    source.problemAt(model.operationOf.get(id)?.pointer ?? [], message);
  return {
    wrong: [
      ...[...found].flatMap(([id, item]) => ('wrong' in item ? at(id, item.wrong) : [])),
      ...ofPages.map((message) => source.problemAt([], message)),
    ],
    untried: new Map(
      [...found].flatMap(([id, item]) =>
        'untried' in item ? [[id, at(id, `${id} was not tried: ${item.untried}`)]] : [],
      ),
    ),
  };
}
