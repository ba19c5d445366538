import type { JsonObject } from '../../json/index.ts';
import { componentReference, REFERENCE, referenceIn } from '../../model/index.ts';
import type { Pointer } from '../problem.ts';
import { idOf, leaveOut, reportUnfollowed, type Bundling } from './bundling.ts';
import { valueIn, type Holder, type Origin } from './files.ts';
import { SECTIONS, type Kind } from './grammar.ts';
import { withInclusions } from './inclusions.ts';
import { walk, type Node, type Walk } from './walk.ts';

/** Makes the references that `find` finds, written in the file `outer`, lead to components of the bundled document. */
export function mend(bundling: Bundling, find: () => Walk, outer: string): void {
  const { bases, mended } = bundling;
  const { references, nodes } = withInclusions(bundling, find, outer);
  for (const { kind, value, pointer } of references) {
    const reference = referenceIn(value);
    if (reference === undefined || mended.has(value)) continue;
    mended.add(value);
    const file = bases.get(value) ?? outer;
    try {
      if (file === '' && isToComponent(bundling, kind, reference)) continue;
      value[REFERENCE] = followed(bundling, kind, reference, file);
    } catch (error) {
      reportUnfollowed(bundling, reference, pointer, error);
      leaveOut(bundling, value);
    }
  }
  mendMappings(bundling, nodes, outer);
}

/** Mends what was put at `at` of the bundled document, and written in `file`. */
export function mendAt(bundling: Bundling, kind: Kind, at: Pointer, file: string): void {
  mend(bundling, () => walk(valueIn(bundling.document, at), kind, at), file);
}

/**
 * Whether a reference in the contract leads to one of its components, and needs no change. Throws an Error if there is no
 * such component, or it is of another kind.
 */
function isToComponent({ document }: Bundling, kind: Kind, reference: string): boolean {
  const [, section, name = ''] = /^#\/components\/(\w+)\/([\w.-]+)$/.exec(reference) ?? [];
  if (section !== undefined && section === SECTIONS[kind]) {
    if (Object.hasOwn(valueIn(document, ['components', section]) ?? {}, name)) return true;
    throw new Error('there is no such component: add it, or correct the name');
  }
  if (Object.values(SECTIONS).includes(section ?? ''))
    throw new Error(`it is a component of another kind: refer to one of components.${SECTIONS[kind]}`);
  return false;
}

/** A mapping names a component, or has a reference (OpenAPI 3.1 §4.8.25). */
function mendMappings(bundling: Bundling, nodes: readonly Node[], outer: string): void {
  const { document, bases, mended } = bundling;
  for (const { kind, value } of nodes) {
    if (kind !== 'Discriminator' || mended.has(value)) continue;
    mended.add(value);
    const file = bases.get(value) ?? outer;
    const mendName = (holder: JsonObject, name: string) => {
      const target = holder[name];
      if (typeof target !== 'string') return;
      if (Object.hasOwn(valueIn(document, ['components', 'schemas']) ?? {}, target)) return;
      if (file === '' && target.startsWith('#/components/schemas/')) return;
      try {
        holder[name] = followed(bundling, 'Schema', target, file);
      } catch {
        // The name of a schema of another file, which its branches have in their references.
      }
    };
    // Its shape is checked later: of any other value this has no names, or those of its items.
    const mapping = Object(value.mapping) as JsonObject;
    for (const tag of Object.keys(mapping)) mendName(mapping, tag);
    mendName(value, 'defaultMapping');
  }
}

/** The component that a reference in `file` leads to. Throws an Error for one that cannot be followed. */
function followed(bundling: Bundling, kind: Kind, reference: string, file: string): string {
  return componentFor(bundling, kind, bundling.files.targetOf(reference, file));
}

/** The component that a reference of `kind` leads to, created if needed. */
function componentFor(bundling: Bundling, kind: Kind, target: Origin): string {
  const { document, files, known } = bundling;
  const { file, pointer } = target;
  const section = SECTIONS[kind];
  if (section === undefined) throw new Error('such an object cannot be referred to: write it here');
  const [root, own, called = '', ...below] = pointer;
  const isOwn = file === '' && root === 'components' && own === section && below.length === 0;
  if (isOwn && Object.hasOwn(valueIn(document, ['components', section]) ?? {}, called))
    return componentReference(section, String(called));
  const id = idOf([section, file, ...pointer]);
  const made = known.get(id);
  if (made !== undefined) return made;
  if (file === '' && pointer.length === 0)
    throw new Error('it leads to the whole document: name a component of it');
  const value = files.valueAt(target);
  const further = leadsOn(bundling, kind, value, file, id);
  if (further !== undefined) return further;
  // Any other value takes nothing in: the error of writing to it is what is reported.
  const sections = (document.components ??= {}) as JsonObject;
  const components = (sections[section] ??= {}) as JsonObject;
  const name = freeName(components, target);
  const reference = componentReference(section, name);
  // Before its own references are mended: they may lead back to it.
  known.set(id, reference);
  components[name] = value;
  const at = ['components', section, name];
  bundling.origins.set(idOf(at), target);
  mendAt(bundling, kind, at, file);
  return reference;
}

/** Where a value that is only a reference leads, as in an index of files: it needs no component for itself. */
function leadsOn(
  bundling: Bundling,
  kind: Kind,
  value: Holder,
  file: string,
  id: string,
): string | undefined {
  const { known, followedBy } = bundling;
  const next = referenceIn(value);
  if (next === undefined || Object.keys(value).length > 1 || followedBy.has(id)) return undefined;
  followedBy.add(id);
  try {
    const reference = followed(bundling, kind, next, file);
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
function freeName(components: JsonObject, { file, pointer }: Origin): string {
  const words = pointer.length > 0 ? pointer.slice(-2) : [file.replace(/^.*\/|\.\w+$/g, '')];
  const [last = 'Item'] = words.slice(-1);
  const plain = (name: unknown) => String(name).replaceAll(/[^\w.-]+/g, '_');
  let name = plain(file === '' ? words.join('_') : last);
  for (let next = 2; Object.hasOwn(components, name); next += 1) name = `${plain(last)}${next}`;
  return name;
}
