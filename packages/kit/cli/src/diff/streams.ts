import { isObject, type JsonObject } from '@contract-kit/core/json';
import { streamOf } from '@contract-kit/core/model';
import { dataFormOf } from '@contract-kit/core/http';
import { changeOf, child, type Change, type Pair, type Part } from './change.ts';
import { compareSchemas } from './schemas.ts';

/** Compares the items of two streams, however the contracts write them. Returns whether one of both is a stream. */
export function* compareStreams(pair: Pair, type: string, from: Part, to: Part): Generator<Change, boolean> {
  const [was, is] = [from, to].map(({ contract, value }) =>
    streamOf(type, isObject(value) ? value : {}, contract.schemas),
  );
  if (!was || !is) {
    if (was ?? is) yield changeOf(to, 'major', was ? 'is no longer a stream' : 'is a stream now');
    return (was ?? is) !== undefined;
  }
  const written = [undefined, ...(was.form.others ?? [])];
  if (written.some((event) => dataFormOf(was.form, event) !== dataFormOf(is.form, event)))
    yield changeOf(to, 'major', 'has data in another form');
  const items = (part: Part, value: JsonObject): Part => ({ ...child(part, ['itemSchema'], '[]'), value });
  yield* compareSchemas(pair, 'response', [items(from, was.itemSchema)], [items(to, is.itemSchema)]);
  return true;
}
