import { REFERENCE, referenceIn } from '../../model/index.ts';
import type { Pointer } from '../problem.ts';
import { idOf, problemOf, reportUnfollowed, type Bundling } from './bundling.ts';
import { isHolder, valueIn, type Holder, type Origin } from './files.ts';
import { isNewest } from './newest.ts';
import type { Inclusion, Walk } from './walk.ts';

const INCLUDED = 'OpenAPI has no reference here: what it leads to takes its place';

/** In objects. More are a document that doubles itself at each level. */
const MAX_INCLUDED = 500_000;

/** What `find` finds when everything is included. */
export function withInclusions(bundling: Bundling, find: () => Walk, file: string): Walk {
  let found = find();
  for (; found.inclusions.length > 0; found = find())
    for (const inclusion of found.inclusions)
      include(bundling, inclusion, bundling.bases.get(inclusion.value) ?? file);
  return found;
}

/** Puts what an inclusion leads to in its place, with its siblings. */
function include(bundling: Bundling, { shape, value, pointer }: Inclusion, file: string): void {
  const { document, origins, remarks, leftOut } = bundling;
  // The walk found the inclusion in an object or a list.
  const holder = valueIn(document, pointer.slice(0, -1)) as Holder;
  const last = pointer.at(-1) as string | number;
  const { [REFERENCE]: reference, ...beside } = value;
  try {
    const { found, target } = included(bundling, reference, file, pointer);
    const copy = copyOf(bundling, found, target.file);
    if (!(isOfMedia(shape) && isNewest(document))) remarks.push(problemOf(bundling, pointer, INCLUDED));
    holder[last] = Array.isArray(copy) ? copy : Object.assign(copy, beside);
    origins.set(idOf(pointer), target);
  } catch (error) {
    reportUnfollowed(bundling, reference, pointer, error);
    const empty = typeof shape === 'object' && 'list' in shape ? [] : {};
    holder[last] = empty;
    leftOut.add(empty);
    // An operation without parameters would be a second mistake.
    if (typeof shape === 'object' && 'object' in shape && shape.object === 'Operation') delete holder[last];
  }
}

/** What an inclusion leads to. Throws an Error for one that cannot be followed. */
function included(
  { files, origins, bases }: Bundling,
  reference: string,
  file: string,
  pointer: Pointer,
): { found: Holder; target: Origin } {
  const outer = pointer.map((_, length) => origins.get(idOf(pointer.slice(0, length))));
  const seen = new Set(outer.flatMap((origin) => (origin ? idOf([origin.file, ...origin.pointer]) : [])));
  let target = files.targetOf(reference, file);
  for (;;) {
    const id = idOf([target.file, ...target.pointer]);
    if (seen.has(id)) throw new Error('it leads back to itself: write the value at one of its places');
    seen.add(id);
    const found = files.valueAt(target);
    const next = referenceIn(found);
    if (next === undefined || Object.keys(found).length > 1) return { found, target };
    target = files.targetOf(next, bases.get(found) ?? target.file);
  }
}

/** A copy in which references mean what they mean in `file`. */
function copyOf(bundling: Bundling, value: Holder, file: string): object {
  const { bases, mended } = bundling;
  bundling.size += 1;
  if (bundling.size > MAX_INCLUDED)
    throw new Error('what is included is too large: write a component, and refer to it');
  const copied = (item: unknown) => (isHolder(item) ? copyOf(bundling, item, file) : item);
  const copy = Array.isArray(value)
    ? value.map(copied)
    : Object.fromEntries(Object.entries(value).map(([name, item]) => [name, copied(item)]));
  bases.set(copy, bases.get(value) ?? file);
  if (mended.has(value)) mended.add(copy);
  return copy;
}

/** Whether it is a media type, which OpenAPI 3.2 §4.7 lets stand among the components. */
function isOfMedia(shape: Inclusion['shape']): boolean {
  return typeof shape === 'object' && 'object' in shape && shape.object === 'MediaType';
}
