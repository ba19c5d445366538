import { isObject, type JsonObject } from '../../json/index.ts';
import { SUBSCHEMAS } from '../../model/index.ts';
import type { Pointer, Problem } from '../problem.ts';
import { isDataName, SECTIONS } from './grammar.ts';
import { idOf, type Origin } from './origin.ts';
import type { Source } from './source.ts';

/** The schemas of a contract that have an `$id` or an anchor (JSON Schema 2020-12 core §8.2). */
export interface Identifiers {
  /** Adds those of a file, once. */
  readonly add: (file: string, source: Source) => void;
  /** The address that references at a place are relative to; undefined if no `$id` changes that of the file. */
  readonly baseAt: (place: Origin) => string | undefined;
  /** The schema with this `$id`. */
  readonly withId: (address: string) => Origin | undefined;
  /** The schemas with this anchor, in the schema or the file with this address. */
  readonly withAnchor: (address: string, name: string) => readonly Origin[];
  /** The schemas with this `$dynamicAnchor`. */
  readonly dynamic: (name: string) => readonly Origin[];
  readonly problems: readonly Problem[];
  /** Whether a schema that was added has an `$id`. */
  readonly haveIds: () => boolean;
}

/** Fields whose names the author chooses. */
const OF_NAMES: ReadonlySet<string> = new Set([
  ...SUBSCHEMAS.map,
  ...Object.values(SECTIONS),
  ...['definitions', 'paths', 'webhooks', 'content', 'variables', 'mediaTypes'],
]);

/** Calls `visit` with what an object has, but for data and extensions; `isOfNames` if its author chose the names of the fields. */
export function eachPart(
  value: JsonObject,
  isOfNames: boolean,
  visit: (name: string, part: unknown, areNames: boolean) => void,
): void {
  for (const [name, part] of Object.entries(value)) {
    const areNames = !isOfNames && OF_NAMES.has(name);
    if (isOfNames || areNames || !(isDataName(name) || name.startsWith('x-'))) visit(name, part, areNames);
  }
}

const HAS_IDENTIFIERS = /\$(id|anchor|dynamicAnchor)\b/;

export function createIdentifiers(addressOf: (file: string) => string): Identifiers {
  const added = new Map<string, Source>();
  const byAddress = new Map<string, Origin>();
  const byAnchor = new Map<string, Origin[]>();
  const dynamic = new Map<string, Origin[]>();
  /** By file, the addresses of schemas with an `$id`, by their places. */
  const scopes = new Map<string, Map<string, string>>();
  const problems: Problem[] = [];

  function add(file: string, source: Source): void {
    if (added.has(file)) return;
    added.set(file, source);
    if (!HAS_IDENTIFIERS.test(source.text)) return;
    const own = new Map<string, string>();
    scopes.set(file, own);
    // YAML may have one object at several places.
    const seen = new Set<object>();
    const refuse = (pointer: Pointer, what: string, other: Origin) => {
      const { line, column } = (added.get(other.file) as Source).at(other.pointer, '');
      const there = `${other.file === file ? '' : `${other.file || 'the contract'}:`}${line}:${column}`;
      problems.push(source.at(pointer, `${what} is that of another schema, too (${there}): change one`));
    };
    const anchored = (name: string, keyword: string, pointer: Pointer, address: string) => {
      const place = { file, pointer };
      const same = byAnchor.get(`${address}#${name}`) ?? [];
      if (same[0] && idOf(same[0].pointer) !== idOf(pointer))
        refuse([...pointer, keyword], `the anchor ${name}`, same[0]);
      byAnchor.set(`${address}#${name}`, [...same, place]);
    };

    function search(value: unknown, pointer: Pointer, outer: string, isOfNames: boolean): void {
      if (typeof value !== 'object' || value === null || seen.has(value)) return;
      seen.add(value);
      if (Array.isArray(value))
        return void value.forEach((item, index) => search(item, [...pointer, index], outer, false));
      if (!isObject(value)) return;
      let address = outer;
      const { $id: id, $anchor: anchor, $dynamicAnchor: dynamicAnchor } = isOfNames ? {} : value;
      if (typeof id === 'string' && id.startsWith('#')) anchored(id.slice(1), '$id', pointer, outer);
      else if (typeof id === 'string') {
        address = URL.canParse(id, outer) ? withoutFragment(new URL(id, outer).href) : id;
        const other = byAddress.get(address);
        if (other) refuse([...pointer, '$id'], `the $id ${id}`, other);
        else byAddress.set(address, { file, pointer });
        own.set(idOf(pointer), address);
      }
      if (typeof anchor === 'string') anchored(anchor, '$anchor', pointer, address);
      if (typeof dynamicAnchor === 'string') {
        anchored(dynamicAnchor, '$dynamicAnchor', pointer, address);
        dynamic.set(dynamicAnchor, [...(dynamic.get(dynamicAnchor) ?? []), { file, pointer }]);
      }
      eachPart(value, isOfNames, (name, child, areNames) =>
        search(child, [...pointer, name], address, areNames),
      );
    }
    search(source.data, [], addressOf(file), false);
  }

  function baseAt({ file, pointer }: Origin): string | undefined {
    const own = scopes.get(file);
    if (!own || own.size === 0) return undefined;
    for (let length = pointer.length; length >= 0; length -= 1) {
      const address = own.get(idOf(pointer.slice(0, length)));
      if (address !== undefined) return address;
    }
    return undefined;
  }

  return {
    add,
    baseAt,
    withId: (address) => byAddress.get(address),
    withAnchor: (address, name) => byAnchor.get(`${address}#${name}`) ?? [],
    dynamic: (name) => dynamic.get(name) ?? [],
    problems,
    haveIds: () => byAddress.size > 0,
  };
}

const withoutFragment = (address: string): string => address.replace(/#.*$/s, '');
