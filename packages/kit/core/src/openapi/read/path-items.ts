import { isObject, stepsOf, type JsonObject } from '../../json/index.ts';
import { follow, REFERENCE, referenceIn } from '../../model/index.ts';
import type { Pointer } from '../problem.ts';
import { noteOrigin, writtenAt, type Bundling } from './bundling.ts';
import { valueIn } from './files.ts';
import { walk } from './walk.ts';

/**
 * Joins each path item that has more than a reference with what that leads to. Where both have a field, OpenAPI leaves open
 * which counts (3.1 §4.8.9): the one beside the reference does.
 */
export function joinPathItems(bundling: Bundling): void {
  const { document } = bundling;
  for (const { kind, value, pointer } of walk(document).nodes)
    if (kind === 'PathItem') join(bundling, value, pointer);
}

function join(bundling: Bundling, item: JsonObject, pointer: Pointer): void {
  const { document, files, remarks } = bundling;
  if (referenceIn(item) === undefined || Object.keys(item).length === 1) return;
  const steps = stepsOf(String(item[REFERENCE]));
  delete item[REFERENCE];
  const nearest = valueIn(document, steps);
  // It may be more than a reference, too.
  if (isObject(nearest)) join(bundling, nearest, steps);
  const [target, place] = follow(document, nearest, steps);
  if (!isObject(target) || target === item) return;
  for (const [name, field] of Object.entries(target)) {
    if (name in item) {
      const { file, pointer: written } = writtenAt(bundling, [...pointer, name]);
      const message = `${name} is also where ${REFERENCE} leads: the one here counts, the other is left out (OpenAPI leaves it open); write one`;
      remarks.push(files.sourceOf(file).at(written, message));
      continue;
    }
    item[name] = structuredClone(field);
    noteOrigin(bundling, [...pointer, name], { file: '', pointer: [...place, name] });
  }
}
