import { isObject } from '../../json/index.ts';
import { REFERENCE, referenceIn } from '../../model/index.ts';
import { noteOrigin, problemOf, reportUnfollowed, writtenAt, type Bundling } from './bundling.ts';
import { isHolder, valueIn, type Holder } from './files.ts';
import type { Shape } from './grammar.ts';
import { isNewest } from './newest.ts';
import { idOf, type Origin } from './origin.ts';
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
function include(bundling: Bundling, inclusion: Inclusion, file: string): void {
  const { document, remarks, leftOut } = bundling;
  const { shape, value, pointer, isShown } = inclusion;
  try {
    const target = takeTarget(bundling, inclusion, file);
    const isExpected = isShown || (isOfMedia(shape) && isNewest(document));
    if (!isExpected) remarks.push(problemOf(bundling, pointer, INCLUDED));
    noteOrigin(bundling, pointer, target);
  } catch (error) {
    reportUnfollowed(bundling, inclusion, value[REFERENCE], error);
    const holder = valueIn(document, pointer.slice(0, -1)) as Holder;
    const last = pointer.at(-1) as string | number;
    const empty = emptyOf(shape);
    holder[last] = empty;
    if (isHolder(empty)) leftOut.add(empty);
    // An operation without parameters would be a second mistake.
    if (typeof shape === 'object' && 'object' in shape && shape.object === 'Operation') delete holder[last];
    else if (empty === undefined && Array.isArray(holder)) holder[Number(last)] = null;
    else if (empty === undefined) delete holder[last];
  }
}

/** Puts what a reference at `pointer` leads to in its place, with its siblings, and returns where it was. */
export function takeTarget(
  bundling: Bundling,
  inclusion: Pick<Inclusion, 'shape' | 'value' | 'pointer'>,
  file: string,
): Origin {
  const { value, pointer } = inclusion;
  const beside = Object.entries(value).filter(([name]) => name !== REFERENCE);
  const { found, target } = included(bundling, inclusion, file);
  const copy = isHolder(found) ? copyOf(bundling, found, target.file) : found;
  // The walk found the reference in an object or a list.
  const holder = valueIn(bundling.document, pointer.slice(0, -1)) as Holder;
  holder[pointer.at(-1) as string | number] = isObject(copy)
    ? Object.assign(copy, Object.fromEntries(beside))
    : copy;
  return target;
}

/** What stands for a value that cannot be included. */
function emptyOf(shape: Shape): object | string | undefined {
  if (shape === 'text') return '';
  if (typeof shape === 'string' || 'words' in shape) return undefined;
  return 'list' in shape ? [] : {};
}

/** What an inclusion leads to. Throws an Error for one that cannot be followed. */
function included(
  bundling: Bundling,
  { shape, value, pointer }: Pick<Inclusion, 'shape' | 'value' | 'pointer'>,
  file: string,
): { found: unknown; target: Origin } {
  const { files, origins, bases, remarks } = bundling;
  const isOfObject = typeof shape === 'object' && !('words' in shape) && !('either' in shape);
  const outer = pointer.map((_, length) => origins.get(idOf(pointer.slice(0, length))));
  const seen = new Set(outer.flatMap((origin) => (origin ? idOf([origin.file, ...origin.pointer]) : [])));
  const place = writtenAt(bundling, pointer);
  let target = files.targetOf(value[REFERENCE], { file, pointer: place.pointer });
  if (target.remark) remarks.push(problemOf(bundling, pointer, target.remark));
  for (;;) {
    const id = idOf([target.file, ...target.pointer]);
    if (seen.has(id)) throw new Error('it leads back to itself: write the value at one of its places');
    seen.add(id);
    const found = isOfObject ? files.valueAt(target) : files.partAt(target);
    const next = referenceIn(found);
    if (!isHolder(found) || next === undefined || Object.keys(found).length > 1) return { found, target };
    target = files.targetOf(next, { ...target, file: bases.get(found) ?? target.file });
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
