import { methodsOf, objectAt } from './described-operation.ts';
import { isObject, type JsonObject } from './json-pointer.ts';

/**
 * `document` as it is published: without the operations that are internal (`x-internal: true`), and without the
 * components and tags that nothing but those uses.
 */
export function publishedDocument(document: JsonObject): JsonObject {
  const components = objectAt(document, 'components');
  const paths = objectAt(document, 'paths');
  const pathItems = objectAt(components, 'pathItems');
  const internal = [paths, pathItems].flatMap((items) => Object.values(items).flatMap(internalIn));
  if (internal.length === 0) return document;

  const shared = { ...components, pathItems: published(pathItems, {}) };
  const open = { ...document, paths: published(paths, shared.pathItems), components: shared };
  const ofInternal = namesIn(internal, components);
  const isUnused = (name: string) => !ofInternal.has(name);
  // What nothing uses is published as it ever was, with what that uses.
  const unused = Object.entries(shared).flatMap(([section, entries]) =>
    Object.entries(entries)
      .filter(([name]) => isUnused(`#/components/${section}/${name}`))
      .map(([, each]) => each),
  );
  const used = namesIn([open.paths, { security: document['security'] }, unused], shared);
  const stays = (name: string) => isUnused(name) || used.has(name);
  const tags = document['tags'];
  return {
    ...open,
    components: Object.fromEntries(
      Object.entries(shared).map(([section, entries]) => [
        section,
        kept(entries, (name) => stays(`#/components/${section}/${name}`)),
      ]),
    ),
    ...(Array.isArray(tags) && {
      tags: tags.filter((tag: JsonObject) => stays(`tag ${String(tag['name'])}`)),
    }),
  };
}

function isInternal(operation: unknown): boolean {
  return isObject(operation) && operation['x-internal'] === true;
}

/** The internal operations of a path item, with the parameters that they share with its others. */
function internalIn(item: unknown): unknown[] {
  if (!isObject(item)) return [];
  const operations = methodsOf(item)
    .map((method) => item[method])
    .filter(isInternal);
  return operations.length > 0 ? [...operations, item['parameters']] : [];
}

/** Path items without their internal operations, and without those that have no other. */
function published(items: JsonObject, pathItems: JsonObject): JsonObject {
  const rest = Object.entries(items).flatMap(([path, item]): [string, unknown][] => {
    if (!isObject(item)) return [[path, item]];
    const { $ref } = item;
    if (typeof $ref === 'string') {
      const isPublished = Object.hasOwn(pathItems, $ref.split('/').at(-1) ?? '');
      return isPublished ? [[path, item]] : [];
    }
    if (internalIn(item).length === 0) return [[path, item]];
    const open = kept(item, (name) => !isInternal(item[name]));
    return methodsOf(open).length > 0 ? [[path, open]] : [];
  });
  return Object.fromEntries(rest);
}

/** The components that `values` refer to, those that these refer to, and the tags; references as they are written. */
function namesIn(values: readonly unknown[], components: JsonObject): Set<string> {
  const names = new Set<string>();
  const add = (name: string) => {
    if (names.has(name)) return;
    names.add(name);
    const [, , section = '', component = ''] = name.split('/');
    follow(objectAt(components, section)[component]);
  };
  const follow = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    Object.values(value).forEach(follow);
    if (!isObject(value)) return;
    const { $ref, security, tags, operationId } = value;
    if (typeof $ref === 'string') add($ref);
    if (Array.isArray(security))
      for (const name of security.filter(isObject).flatMap(Object.keys))
        add(`#/components/securitySchemes/${name}`);
    if (typeof operationId === 'string' && Array.isArray(tags))
      for (const tag of tags) add(`tag ${String(tag)}`);
  };
  follow(values);
  return names;
}

function kept(value: JsonObject, test: (name: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => test(name)));
}
