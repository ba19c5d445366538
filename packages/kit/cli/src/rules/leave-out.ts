import { referenceTo, stepsOf } from '@contract-kit/core/json';
import { methodsOf } from '@contract-kit/core/model';
import {
  documentWith,
  walk,
  type Json,
  type Pointer,
  type Problem,
  type SourceDocument,
} from '@contract-kit/core/openapi';

/** An operation or a webhook that is left out. */
export interface LeftOut {
  /** How messages call it: `GET /loans`, or `webhook loanLost`. */
  readonly name: string;
  readonly problem: Problem;
}

export interface Rest {
  /** The contract without the parts that have problems. */
  readonly contract: SourceDocument;
  /** In the order of the document. */
  readonly leftOut: readonly LeftOut[];
  /** The places that are left out, also those of components that only these parts use. */
  readonly places: readonly Pointer[];
}

/**
 * Leaves out the operations and webhooks with problems, and those that use a component with one. Undefined if a problem
 * belongs to none of them, or if no operation is left.
 */
export function leaveOut(contract: SourceDocument, problems: readonly Problem[]): Rest | undefined {
  const parts = partsOf(contract);
  const problemOf = new Map<string, Problem>();
  for (const problem of problems) {
    const found = problem.pointer ? partsAt(problem.pointer, parts) : [];
    if (found.length === 0) return undefined;
    for (const id of found) if (!problemOf.has(id)) problemOf.set(id, problem);
  }
  // The map grows while it is read: with the users of a part, their users.
  for (const [id, problem] of problemOf)
    for (const { id: user, uses } of parts.values())
      if (uses.has(id) && !problemOf.has(user)) problemOf.set(user, problem);
  const rest = structuredClone(contract.document);
  const places: Pointer[] = [];
  const remove = (place: Pointer) => {
    delete place.slice(0, -1).reduce((value: Json, step) => value[step], rest)[place.at(-1) as string];
    places.push(place);
  };
  const out = [...parts.values()].filter(({ id }) => problemOf.has(id));
  for (const { place } of out) remove(place);
  for (const path of new Set(
    out.flatMap(({ place: [section, name] }) => (section === 'paths' ? String(name) : [])),
  ))
    if (rest.paths[path] && methodsOf(rest.paths[path]).length === 0) remove(['paths', path]);
  if (Object.keys(rest.paths ?? {}).length === 0) return undefined;
  // Nothing that is left inherits it: what does uses its schemes.
  if (schemesIn(rest.security).some((scheme) => problemOf.has(idOf(stepsOf(scheme.slice(1))))))
    remove(['security']);
  for (const place of linksTo(new Set(out.flatMap(({ targets }) => targets)), rest)) remove(place);
  const leftOut = out.flatMap(({ id, name }) => {
    const problem = problemOf.get(id);
    return name !== undefined && problem ? [{ name, problem }] : [];
  });
  return { contract: documentWith(rest, { ...contract, problems: [] }), leftOut, places };
}

/** An operation, a webhook or a component. */
interface Part {
  readonly id: string;
  readonly place: Pointer;
  /** The ids of the components that it names. */
  readonly uses: ReadonlySet<string>;
  /** How messages call it; undefined for a component. */
  readonly name?: string;
  /** How links name it: by its operationId, or by its place. */
  readonly targets: readonly string[];
}

const idOf = (place: Pointer): string => place.join('\n');

function partsOf(contract: SourceDocument): ReadonlyMap<string, Part> {
  const { document } = contract;
  const part = (place: Pointer, values: readonly unknown[], name?: string): Part => {
    const uses = new Set<string>();
    for (const value of values) addUses(value, uses);
    const id: unknown = Object(values[0]).operationId;
    const targets = [referenceTo(place), ...(typeof id === 'string' ? [id] : [])];
    return { id: idOf(place), place, uses, targets, ...(name !== undefined && { name }) };
  };
  const found: Part[] = [];
  for (const [path, item] of Object.entries<Json>(document.paths ?? {})) {
    const { ...shared } = Object(item) as Record<string, Json>;
    const methods = methodsOf(shared);
    const operations = methods.map((method) => [method, shared[method]] as const);
    for (const method of methods) delete shared[method];
    for (const [method, operation] of operations) {
      const security = schemesIn(operation?.security ?? document.security);
      found.push(
        part(['paths', path, method], [operation, shared, security], `${method.toUpperCase()} ${path}`),
      );
    }
    // Its operations are in a component.
    const elsewhere = methods.length === 0 ? methodsOf(Object(contract.resolve(item))) : [];
    if (methods.length === 0) {
      const name = elsewhere.map((method) => `${method.toUpperCase()} ${path}`).join(', ');
      found.push(part(['paths', path], [shared], name || path));
    }
  }
  for (const [name, item] of Object.entries<Json>(document.webhooks ?? {}))
    found.push(part(['webhooks', name], [item], `webhook ${name}`));
  for (const [section, components] of Object.entries<Json>(document.components ?? {}))
    for (const [name, component] of Object.entries<Json>(Object(components))) {
      const operations = section === 'pathItems' ? methodsOf(Object(component)) : [];
      const security = operations.flatMap((method) =>
        schemesIn(component[method]?.security ?? document.security),
      );
      found.push(part(['components', section, name], [component, security]));
    }
  return new Map(found.map((each) => [each.id, each]));
}

/** References to the schemes of an operation's security. */
function schemesIn(security: Json): string[] {
  if (!Array.isArray(security)) return [];
  return security.flatMap((alternative) =>
    Object.keys(Object(alternative) as object).map((name) => `${SCHEMES}${name}`),
  );
}
const SCHEMES = '#/components/securitySchemes/';

/** Adds the components that `value` names, in references and in the mappings of discriminators. */
function addUses(value: unknown, uses: Set<string>): void {
  if (typeof value === 'string' && value.startsWith('#/components/'))
    uses.add(idOf(stepsOf(value.slice(1)).slice(0, 3)));
  if (typeof value !== 'object' || value === null) return;
  for (const inner of Object.values(value)) addUses(inner, uses);
}

/** The places of the links in `document` that lead to one of `targets`. */
function linksTo(targets: ReadonlySet<string>, document: Json): Pointer[] {
  return walk(document).nodes.flatMap(({ kind, value, pointer }) =>
    Object.entries<Json>(kind === 'Response' ? Object(value.links) : {}).flatMap(([name, link]) =>
      targets.has(link?.operationId) || targets.has(link?.operationRef) ? [[...pointer, 'links', name]] : [],
    ),
  );
}

/** The parts that a place belongs to: what a path item says of all its operations belongs to each. */
function partsAt(pointer: Pointer, parts: ReadonlyMap<string, Part>): string[] {
  for (let length = Math.min(pointer.length, 3); length > 1; length -= 1) {
    const id = idOf(pointer.slice(0, length));
    if (parts.has(id)) return [id];
  }
  const [section, path] = pointer;
  if (section !== 'paths' || path === undefined) return [];
  return [...parts.values()].flatMap(({ id, place }) =>
    place[0] === section && place[1] === path ? id : [],
  );
}
