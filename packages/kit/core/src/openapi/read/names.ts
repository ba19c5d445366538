import { isObject, referenceTo, stepsOf, type JsonObject } from '../../json/index.ts';
import {
  componentReference,
  objectAt,
  readSchemas,
  REFERENCE,
  referTo,
  taggedIn,
} from '../../model/index.ts';
import type { Bundling } from './bundling.ts';
import { percentDecoded, valueIn } from './files.ts';
import { SECTIONS } from './grammar.ts';
import { idOf } from './origin.ts';
import { walk } from './walk.ts';

/** A name that OpenAPI allows (3.1 §4.8.7), and that is no member of every JavaScript object. */
const isAllowed = (name: string): boolean => /^[\w.-]+$/.test(name) && !(name in Object.prototype);

const NOT_ALLOWED = 'the names of components are letters, digits and . _ -';
const INHERITED = 'every JavaScript object has a member with this name';

/** The name of a component that is nearest to `name`: `Groesse` for `Größe`. */
export function allowedName(name: string, section: string): string {
  if (name in Object.prototype) return `${name}_`;
  if (isAllowed(name)) return name;
  const letters = name
    .replaceAll(/[äöü]/gi, '$&e')
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '');
  // Without an end such as that of `Page<Loan>`.
  const plain = letters.replaceAll(/[^\w.-]+/g, '_').replaceAll(/^_+|_+$/g, '');
  return isAllowed(plain) ? plain : section.replace(/(ie)?s$/, (end) => (end === 'ies' ? 'y' : ''));
}

/** The name of the component in `section` that a mended reference leads to. */
export function componentNameIn(section: string, reference: string): string | undefined {
  const start = componentReference(section, '');
  return reference.startsWith(start) ? reference.slice(start.length) : undefined;
}

/** Finds the names that OpenAPI allows for components with other ones. Components of other files get none of these. */
export function planNames({ document, plain, named }: Bundling): void {
  for (const section of Object.values(SECTIONS)) {
    const components = valueIn(document, ['components', section]);
    if (!isObject(components)) continue;
    for (const name of Object.keys(components).filter((name) => !isAllowed(name))) {
      const isTaken = (other: string) =>
        Object.hasOwn(components, other) || named.has(idOf([section, other]));
      const called = unused(allowedName(name, section), isTaken);
      plain.set(idOf([section, name]), called);
      named.set(idOf([section, called]), name);
    }
  }
}

/** A name that no component in `section` has or will have. */
export function freeNameIn({ document, named }: Bundling, section: string, name: string): string {
  const components = Object(valueIn(document, ['components', section])) as object;
  return unused(name, (other) => Object.hasOwn(components, other) || named.has(idOf([section, other])));
}

function unused(name: string, isTaken: (name: string) => boolean): string {
  let found = name;
  for (let next = 2; isTaken(found); next += 1) found = `${name}${next}`;
  return found;
}

/** Gives components the names that `planNames` found. The last step of bundling: all references lead to components by now. */
export function renameComponents(bundling: Bundling): void {
  const { document, plain, origins, remarks, files } = bundling;
  if (plain.size === 0) return;
  /** By the references that authors wrote. */
  const references = new Map<string, string>();
  for (const section of Object.values(SECTIONS)) {
    const components = valueIn(document, ['components', section]);
    if (!isObject(components)) continue;
    const entries = Object.entries(components).map(([name, value]) => {
      const called = plain.get(idOf([section, name]));
      if (called === undefined) return [name, value];
      references.set(componentReference(section, name), componentReference(section, called));
      const pointer = ['components', section, name];
      const reason = name in Object.prototype ? INHERITED : NOT_ALLOWED;
      const message = `${reason}: ${JSON.stringify(name)} is called ${called} here; rename it to choose another`;
      // Its name, not its value, which another file may have.
      remarks.push(files.sourceOf('').at(pointer, message));
      const origin = origins.get(idOf(pointer));
      if (origin) origins.set(idOf(['components', section, called]), origin);
      return [called, value];
    });
    objectAt(document, 'components')[section] = Object.fromEntries(entries);
  }
  renameReferences(document, references, plain);
}

function renameReferences(
  document: JsonObject,
  references: ReadonlyMap<string, string>,
  names: ReadonlyMap<string, string>,
): void {
  const { nodes, references: found, free } = walk(document, 'Document', [], true);
  for (const { value } of found)
    value[REFERENCE] = references.get(String(value[REFERENCE])) ?? value[REFERENCE];
  for (const { value } of free) value[REFERENCE] = renamedIn(value[REFERENCE], names);
  for (const { kind, value } of nodes) {
    if (kind === 'Discriminator') {
      const renamed = (target: unknown) => {
        const plain = names.get(idOf(['schemas', String(target)]));
        return plain === undefined
          ? (references.get(String(target)) ?? target)
          : componentReference('schemas', plain);
      };
      const { mapping } = value;
      if (isObject(mapping)) for (const tag of Object.keys(mapping)) mapping[tag] = renamed(mapping[tag]);
      if ('defaultMapping' in value) value.defaultMapping = renamed(value.defaultMapping);
    }
    if (kind === 'SecurityRequirement')
      renameKeys(value, (name) => names.get(idOf(['securitySchemes', name])));
  }
}

/** A reference to a part of a component, in documentation. */
function renamedIn(reference: string, names: ReadonlyMap<string, string>): string {
  const [root, section = '', name = '', ...below] = stepsOf(percentDecoded(reference));
  const plain = root === 'components' ? names.get(idOf([section, name])) : undefined;
  return plain === undefined ? reference : referenceTo(['components', section, plain, ...below]);
}

/** In place, because aliases of YAML share the object, and in the same order. */
function renameKeys(value: JsonObject, nameOf: (name: string) => string | undefined): void {
  const entries = Object.entries(value);
  if (entries.every(([name]) => nameOf(name) === undefined)) return;
  for (const [name] of entries) delete value[name];
  for (const [name, item] of entries) value[nameOf(name) ?? name] = item;
}

/**
 * Maps the tags of schemas whose authors gave them other names: without a mapping the value of a discriminator is the name of
 * a schema (OpenAPI 3.1 §4.8.25), which is the one that its author gave it.
 */
export function keepTags(document: JsonObject, named: ReadonlyMap<string, string>): void {
  const names = Object.keys(objectAt(objectAt(document, 'components'), 'schemas')).flatMap((name) => {
    const author = named.get(idOf(['schemas', name]));
    return author === undefined ? [] : [[name, author] as const];
  });
  if (names.length === 0) return;
  const schemas = readSchemas(document);
  for (const { kind, value, parent, pointer } of walk(document).nodes) {
    if (kind !== 'Discriminator' || !parent) continue;
    const [, , component = '', ...below] = pointer;
    const families =
      below.length === 1 ? schemas.familiesOf(referTo(componentReference('schemas', String(component)))) : [];
    const own = families.filter(({ property }) => property === value.propertyName);
    const branches = taggedIn(parent.value, schemas)?.branches ?? [];
    const all = [...branches, ...own, ...own.flatMap(({ extensions }) => extensions)];
    const tags = new Set(all.flatMap((item) => item.tags));
    const mapping = { ...objectAt(value, 'mapping') };
    for (const [name, author] of names)
      if (tags.has(name) && !tags.has(author) && !Object.hasOwn(mapping, name))
        mapping[author] = componentReference('schemas', name);
    if (Object.keys(mapping).length > 0) value.mapping = mapping;
  }
}
