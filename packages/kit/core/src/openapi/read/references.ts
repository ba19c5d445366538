import { referenceTo, type JsonObject } from '../../json/index.ts';
import { ALL_OF, componentReference, REFERENCE, referenceIn, UNIONS } from '../../model/index.ts';
import type { Pointer } from '../problem.ts';
import { leaveOut, noteOrigin, reportUnfollowed, writtenAt, type Bundling } from './bundling.ts';
import { componentNameIn, freeNameIn, allowedName } from './names.ts';
import { valueIn, type Holder } from './files.ts';
import { CALLED, SECTIONS, type Kind } from './grammar.ts';
import { withInclusions } from './inclusions.ts';
import { idOf, type Origin } from './origin.ts';
import { otherAt } from './places.ts';
import { walk, type Node, type Walk } from './walk.ts';

/** A reference to the schema with a `$dynamicAnchor`. */
const DYNAMIC = '$dynamicRef';

/** Makes the references that `find` finds, written in the file `outer`, lead to components of the bundled document. */
export function mend(bundling: Bundling, find: () => Walk, outer: string): void {
  const { bases, mended } = bundling;
  const { references, nodes } = withInclusions(bundling, find, outer);
  const dynamic = nodes.flatMap((node) => staticReference(bundling, node));
  for (const node of [...references, ...dynamic]) {
    const { kind, value, pointer } = node;
    const reference = referenceIn(value);
    if (reference === undefined || mended.has(value)) continue;
    mended.add(value);
    const file = bases.get(value) ?? outer;
    try {
      value[REFERENCE] = followed(bundling, kind, reference, {
        file,
        pointer: writtenAt(bundling, pointer).pointer,
      });
    } catch (error) {
      reportUnfollowed(bundling, node, reference, error);
      leaveOut(bundling, value);
    }
  }
  mendMappings(bundling, nodes, outer);
}

/** Mends what was put at `at` of the bundled document, and written in `file`. */
export function mendAt(bundling: Bundling, kind: Kind, at: Pointer, file: string): void {
  mend(bundling, () => walk(valueIn(bundling.document, at), kind, at, true), file);
}

/**
 * A `$dynamicRef` as the reference that it is if one schema alone has its anchor (JSON Schema 2020-12 core §8.2.3.2). Otherwise
 * the way to the schema decides, which no other tool can follow.
 */
function staticReference(bundling: Bundling, node: Node): Node[] {
  const { kind, value, pointer } = node;
  const { [DYNAMIC]: reference, ...beside } = value;
  if (kind !== 'Schema' || typeof reference !== 'string') return [];
  delete value[DYNAMIC];
  const places = bundling.files.dynamic(reference.replace(/^.*#/s, ''));
  if (places.length > 1) {
    const there = places.map(({ file, pointer: steps }) => {
      const { line, column } = bundling.files.sourceOf(file).at([...steps, '$dynamicAnchor'], '');
      return `${file && `${file}:`}${line}:${column}`;
    });
    const message = `several schemas have the $dynamicAnchor of ${reference} (${there.join(', ')}), so the way to it decides: write $ref`;
    const place = writtenAt(bundling, [...pointer, DYNAMIC]);
    bundling.problems.push(bundling.files.sourceOf(place.file).at(place.pointer, message));
    return [];
  }
  if (!(REFERENCE in beside)) {
    value[REFERENCE] = reference;
    return [node];
  }
  const parts = Array.isArray(value[ALL_OF]) ? (value[ALL_OF] as unknown[]) : [];
  const part: JsonObject = { [REFERENCE]: reference };
  value[ALL_OF] = [...parts, part];
  return [{ ...node, value: part, pointer: [...pointer, ALL_OF, parts.length], parent: node }];
}

/** A mapping names a component, or has a reference (OpenAPI 3.1 §4.8.25). */
function mendMappings(bundling: Bundling, nodes: readonly Node[], outer: string): void {
  const { bases, mended } = bundling;
  for (const { kind, value, pointer, parent } of nodes) {
    if (kind !== 'Discriminator' || mended.has(value)) continue;
    mended.add(value);
    const place = { file: bases.get(value) ?? outer, pointer: writtenAt(bundling, pointer).pointer };
    const mendName = (holder: JsonObject, name: string) => {
      const target = holder[name];
      if (typeof target === 'string') holder[name] = mapped(bundling, target, place, parent?.value);
    };
    // Its shape is checked later: of any other value this has no names, or those of its items.
    const mapping = Object(value.mapping) as JsonObject;
    for (const tag of Object.keys(mapping)) mendName(mapping, tag);
    mendName(value, 'defaultMapping');
  }
}

/** What a mapping of `union` names: the one of its alternatives, a schema of its file, one of the contract, or a reference. */
function mapped(bundling: Bundling, name: string, place: Origin, union: JsonObject = {}): string {
  const { document, named } = bundling;
  const branches = UNIONS.flatMap((keyword) =>
    Array.isArray(union[keyword]) ? (union[keyword] as unknown[]) : [],
  );
  const alternative = branches
    .map((branch) => referenceIn(branch) ?? '')
    .find((reference) => {
      const called = componentNameIn('schemas', reference);
      return called !== undefined && (named.get(idOf(['schemas', called])) ?? called) === name;
    });
  if (place.file !== '' && alternative !== undefined) return alternative;
  const isOfContract = Object.hasOwn(valueIn(document, ['components', 'schemas']) ?? {}, name);
  const ofFile = referenceTo(['components', 'schemas', name]);
  for (const reference of place.file === '' ? (isOfContract ? [] : [name]) : [ofFile, name])
    try {
      const target = bundling.files.targetOf(reference, place);
      if (target.remark === undefined || reference === name) return componentFor(bundling, 'Schema', target);
    } catch {
      // Not that.
    }
  return name;
}

/** The component that a reference at a place leads to. Throws an Error for one that cannot be followed. */
function followed(bundling: Bundling, kind: Kind, reference: string, place: Origin): string {
  const target = bundling.files.targetOf(reference, place);
  if (target.remark !== undefined) {
    const { file, pointer } = place;
    bundling.remarks.push(bundling.files.sourceOf(file).at([...pointer, REFERENCE], target.remark));
  }
  return componentFor(bundling, kind, target);
}

/** The component that a reference of `kind` leads to, created if needed. */
function componentFor(bundling: Bundling, kind: Kind, target: Origin): string {
  const { document, files, known } = bundling;
  const { file, pointer } = target;
  const section = SECTIONS[kind];
  if (section === undefined) throw new Error('such an object cannot be referred to: write it here');
  const [root, own, called = ''] = pointer;
  if (file === '' && root === 'components' && pointer.length === 3) {
    if (own !== section && Object.values(SECTIONS).includes(String(own)))
      throw new Error(`it is a component of another kind: refer to one of components.${section}`);
    if (own === section && Object.hasOwn(valueIn(document, ['components', section]) ?? {}, called))
      return componentReference(section, String(called));
    if (own === section) throw new Error('there is no such component: add it, or correct the name');
  }
  const id = idOf([section, file, ...pointer]);
  const made = known.get(id);
  if (made !== undefined) return made;
  if (file === '' && pointer.length === 0)
    throw new Error('it leads to the whole document: name a component of it');
  const value = files.valueAt(target);
  const other = file === '' ? otherAt(pointer, kind) : undefined;
  if (other !== undefined)
    throw new Error(`it leads to ${other}, where ${CALLED[kind]} is wanted: correct it`);
  const further = leadsOn(bundling, kind, value, target, id);
  if (further !== undefined) return further;
  // Any other value takes nothing in: the error of writing to it is what is reported.
  const sections = (document.components ??= {}) as JsonObject;
  const components = (sections[section] ??= {}) as JsonObject;
  const name = nameFor(bundling, section, target);
  const reference = componentReference(section, name);
  // Before its own references are mended: they may lead back to it.
  known.set(id, reference);
  components[name] = value;
  const at = ['components', section, name];
  noteOrigin(bundling, at, target);
  mendAt(bundling, kind, at, file);
  return reference;
}

/** Where a value that is only a reference leads, as in an index of files: it needs no component for itself. */
function leadsOn(
  bundling: Bundling,
  kind: Kind,
  value: Holder,
  target: Origin,
  id: string,
): string | undefined {
  const { known, followedBy } = bundling;
  const next = referenceIn(value);
  if (next === undefined || Object.keys(value).length > 1 || followedBy.has(id)) return undefined;
  followedBy.add(id);
  try {
    const reference = followed(bundling, kind, next, target);
    known.set(id, reference);
    return reference;
  } catch {
    // `mend` reports it, at its own place.
    return undefined;
  } finally {
    followedBy.delete(id);
  }
}

/** A name that no component has, after the place that it has its value from. */
function nameFor(bundling: Bundling, section: string, { file, pointer }: Origin): string {
  const words = pointer.length > 0 ? pointer.slice(-2) : [file.replace(/^.*\/|\.\w+$/g, '')];
  const last = String(words.at(-1) ?? 'Item');
  const name = freeNameIn(bundling, section, allowedName(file === '' ? words.join('_') : last, section));
  if (file !== '' && name !== last) bundling.named.set(idOf([section, name]), last);
  return name;
}
