import type { Pointer } from '../problem.ts';
import { credentialOf, pathShapeOf } from '../../http/index.ts';
import { isObject, type JsonObject } from '../../json/index.ts';
import {
  compositionOf,
  methodsOf,
  objectAt,
  readSchemas,
  REFERENCE,
  referenceIn,
  resolveIn,
} from '../../model/index.ts';
import { takeOut } from './files.ts';
import type { Kind } from './grammar.ts';
import { declareRequired, declareRequiredOfParts, leaveOutOthers, stateType } from './inferred.ts';
import { agreeOnValues, replaceNullable } from './nullable.ts';
import { isNewest, newFieldsOf, valueExample } from './newest.ts';
import { boundPatterns } from './slow-pattern.ts';
import { allowEmpty, remarkOnUnread } from './unread.ts';
import { dropTakenIds } from './operation-ids.ts';
import { walk, type Node } from './walk.ts';

/** Something harmless in a contract that does not do what its author may expect. */
export interface Remark {
  readonly pointer: Pointer;
  readonly message: string;
}

type Change = (place: Node, remark: (message: string, ...pointer: Pointer) => void) => void;

/** Headers of requests whose description is ignored (OpenAPI 3.1 §4.8.12.2). */
const IGNORED_HEADERS = /^(accept|content-type|authorization)$/i;

/** Headers that belong to the connection, or follow from the content. */
const OF_CONNECTION = 'connection|content-length|keep-alive|te|trailer|transfer-encoding|upgrade';
const CLIENT_HEADERS = new RegExp(`^(${OF_CONNECTION}|expect|host)$`, 'i');
const SERVER_HEADERS = new RegExp(`^(${OF_CONNECTION}|content-type)$`, 'i');

/** By kind of object: its OpenAPI 3.1 form, without the parts that OpenAPI ignores. */
const CHANGES: Partial<Record<Kind, Change>> = {
  Document({ value }) {
    // NestJS writes an empty list: the same as none (OpenAPI 3.1 §4.8.1).
    if (Array.isArray(value.servers) && value.servers.length === 0) delete value.servers;
  },
  Paths({ value, parent }, remark) {
    for (const path of Object.keys(value)) if (path.startsWith('x-')) delete value[path];
    const known = new Map<string, { readonly path: string; readonly methods: Set<string> }>();
    for (const [path, item] of Object.entries(value)) {
      const methods = methodsOf(resolveIn(parent?.value, item));
      const shape = pathShapeOf(path);
      const other = known.get(shape);
      // A common one is a mistake, which another rule reports.
      if (other && !methods.some((method) => other.methods.has(method)))
        remark(
          `the path differs from ${other.path} only in the names of its parameters: write one path`,
          path,
        );
      known.set(shape, {
        path: other?.path ?? path,
        methods: new Set([...(other?.methods ?? []), ...methods]),
      });
    }
  },
  PathItem({ value }, remark) {
    for (const method of methodsOf(value)) {
      const operation = objectAt(value, method);
      if (!/^(get|head|trace)$/.test(method) || !operation.requestBody) continue;
      remark('a body of GET or HEAD is ignored: it means nothing (RFC 9110 §9.3.1)', method, 'requestBody');
      delete operation.requestBody;
    }
  },
  Operation({ value }) {
    value.responses ??= {};
  },
  Parameter({ value }, remark) {
    for (const keyword of ['readOnly', 'writeOnly']) {
      const schema = objectAt(value, 'schema');
      if (schema[keyword] !== true) continue;
      remark(`${keyword} is ignored: it is for properties (OpenAPI 3.1 §4.8.24)`, 'schema', keyword);
      value.schema = without(schema, keyword);
    }
    if (value.in !== 'path' || value.required === true) return;
    remark(
      'a path parameter is always required: write required: true',
      'required' in value ? 'required' : 'name',
    );
    value.required = true;
  },
  Responses({ value }, remark) {
    for (const status of Object.keys(value)) {
      const isInformational = /^1(\d\d|XX)$/.test(status);
      if (isInformational)
        remark(`${status} is documentation: the server sends final statuses, from 200 to 599`, status);
      if (isInformational || status.startsWith('x-')) delete value[status];
    }
  },
  Response({ value }, remark) {
    for (const name of Object.keys(objectAt(value, 'headers'))) {
      if (!SERVER_HEADERS.test(name)) continue;
      remark(`the header ${name} is ignored: the server writes it by itself`, 'headers', name);
      value.headers = without(objectAt(value, 'headers'), name);
    }
    if (value.content && Object.keys(value.content).length === 0) delete value.content;
  },
  RequestBody({ value }) {
    if (value.content && Object.keys(value.content).length === 0) delete value.content;
  },
  Example: valueExample,
  Encoding({ value }, remark) {
    for (const name of ['encoding', 'prefixEncoding', 'itemEncoding'])
      if (name in value) remark(`${name} is documentation: a part of a form is read as one value`, name);
  },
  MediaType({ value }, remark) {
    for (const name of ['prefixEncoding', 'itemEncoding'])
      if (name in value) remark(`${name} is documentation: handlers get the bytes of the whole body`, name);
    if (!('itemSchema' in value)) value.schema ??= {};
  },
};

/** A copy: the object may stand at other places, too. */
function without(object: JsonObject, ...names: readonly string[]): JsonObject {
  const copy = { ...object };
  for (const name of names) delete copy[name];
  return copy;
}

/** Leaves out alternatives with a scheme that the service cannot check, if it can check another one. */
function dropUnchecked(
  { value }: Node,
  document: JsonObject,
  remark: (message: string, ...pointer: Pointer) => void,
): void {
  const schemes = objectAt(objectAt(document, 'components'), 'securitySchemes');
  const unchecked = (alternative: JsonObject) =>
    Object.keys(alternative).filter(
      (name) => Object.hasOwn(schemes, name) && !credentialOf(resolveIn(document, schemes[name])),
    );
  const all = Array.isArray(value.security) ? value.security.filter(isObject) : [];
  const kept = all.filter((alternative) => unchecked(alternative).length === 0);
  if (kept.length === 0 || kept.length === all.length) return;
  for (const [index, alternative] of all.entries())
    for (const name of unchecked(alternative))
      remark(
        `${name} is left out: the service cannot check it, and callers use the others`,
        'security',
        index,
      );
  value.security = kept;
}

/** The content of QUERY is the query, so it is always required (RFC 10008 §2). */
function requireQuery(
  item: JsonObject,
  document: JsonObject,
  remark: (message: string, ...pointer: Pointer) => void,
): void {
  const { query } = item;
  if (!isObject(query)) return;
  const body = resolveIn(document, query.requestBody);
  if (body.content === undefined)
    remark('QUERY without a body asks for nothing (RFC 10008 §2): describe one, or write get', 'query');
  else if (body.required !== true) {
    remark('a body of QUERY is always required: write required: true', 'query', 'requestBody');
    query.requestBody = { ...body, required: true };
  }
}

function describeResponse(response: JsonObject, isNewest: boolean, remark: (message: string) => void): void {
  if (isNewest || response.description !== undefined) return;
  remark('a response needs description');
  response.description = '';
}

function dropParameters(
  { value, pointer: [section, path] }: Node,
  document: JsonObject,
  remark: (message: string, ...pointer: Pointer) => void,
): void {
  if (!Array.isArray(value.parameters)) return;
  value.parameters = value.parameters.filter((parameter: unknown, index) => {
    const { in: place, name: given } = resolveIn(document, parameter);
    const name = String(given);
    // Swashbuckle declares those of another path of the same method.
    const isElsewhere = place === 'path' && section === 'paths' && !String(path).includes(`{${name}}`);
    const reason = isElsewhere
      ? 'it is not in the path'
      : place !== 'header'
        ? undefined
        : IGNORED_HEADERS.test(name)
          ? 'security and content say it'
          : CLIENT_HEADERS.test(name)
            ? 'clients write it by themselves'
            : undefined;
    if (reason) remark(`the parameter ${name} is ignored: ${reason}`, 'parameters', index);
    return reason === undefined;
  });
}

/** A schema of 3.0 as one of 3.1. */
function upgradeSchema(schema: JsonObject, remark: (message: string, ...pointer: Pointer) => void): void {
  // In 3.0 siblings of a reference are ignored (OpenAPI 3.0.3 §4.7.23).
  if (REFERENCE in schema)
    for (const name of Object.keys(schema)) {
      if (name === REFERENCE || name === 'nullable') continue;
      remark(`${name} beside ${REFERENCE} is ignored in OpenAPI 3.0: write allOf, or openapi: 3.1.0`, name);
      delete schema[name];
    }
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof schema[exclusive] !== 'boolean') continue;
    if (schema[exclusive] && bound in schema) {
      schema[exclusive] = schema[bound];
      delete schema[bound];
    } else delete schema[exclusive];
  }
}

/** Takes the content from responses that have no body. A shared one keeps it for other statuses. */
function dropBodies(responses: JsonObject, pointer: Pointer, document: JsonObject): Remark[] {
  return ['204', '205', '304'].flatMap((status) => {
    const written = objectAt(responses, status);
    const response = resolveIn(document, written);
    if (!response.content) return [];
    responses[status] = { ...without(response, 'content'), ...without(written, REFERENCE, 'content') };
    const place = REFERENCE in written ? [] : ['content'];
    const message = `a ${status} has no body (RFC 9110 §15): its content is ignored`;
    return [{ pointer: [...pointer, status, ...place], message }];
  });
}

/** Removes misshapen parts, so that the rest can be checked. Returns these and the missing ones. */
export function takeOutMisshapen(document: JsonObject, leftOut: ReadonlySet<unknown>): readonly Remark[] {
  const wrong = walk(document).findings.filter(
    (finding) => finding.is !== 'stray' && !leftOut.has(finding.of),
  );
  const misshapen = wrong.filter((finding) => finding.is === 'misshapen');
  takeOut(
    document,
    misshapen.map(({ pointer }) => pointer),
  );
  for (const { kind, value, pointer } of walk(document).nodes) {
    if (kind !== 'Parameter' || (value.name !== undefined && value.in !== undefined)) continue;
    // The other rules need both. The contract is rejected anyway.
    value.in = 'query';
    value.name ??= pointer.join(' ');
    if (leftOut.has(value)) value.schema = {};
  }
  return wrong;
}

/**
 * Converts `document` to OpenAPI 3.1, or 3.2 if it has anything of that, without ignored parts. The grammar distinguishes
 * schemas from similar data: a property named `example` or `nullable` stays one.
 */
export function upgrade(document: JsonObject): Remark[] {
  const remarks: Remark[] = [];
  const isOld = /^3\.0\./.test(String(document.openapi));
  let isNew = isNewest(document);
  const isStated = isNew;
  const { nodes } = walk(document);
  const bases = new Set(
    nodes
      .filter(({ kind }) => kind === 'Schema')
      .flatMap(({ value }) => compositionOf(value).parts)
      .map(({ schema }) => referenceIn(schema)),
  );
  const remarkOn =
    (place: Node) =>
    (message: string, ...pointer: Pointer) =>
      void remarks.push({ pointer: [...place.pointer, ...pointer], message });
  dropTakenIds(nodes, remarkOn);
  for (const place of nodes) {
    const remark = remarkOn(place);
    for (const name of newFieldsOf(place)) {
      isNew = true;
      if (!isStated) remark(`${name} is new in OpenAPI 3.2: write openapi: 3.2.0`, name);
    }
    if (isOld && place.kind === 'Schema') upgradeSchema(place.value, remark);
    if (place.kind === 'Schema') {
      leaveOutOthers(place, remark);
      stateType(place, remark);
      declareRequired(place, bases, remark);
      // It says as little of an object as no properties do: any field may be there.
      if (Object.keys(objectAt(place.value, 'properties')).length === 0) delete place.value.properties;
      boundPatterns(place.value, remark);
    }
    if (place.kind === 'Document' || place.kind === 'Operation') dropUnchecked(place, document, remark);
    if (place.kind === 'PathItem' || place.kind === 'Operation') dropParameters(place, document, remark);
    if (place.kind === 'PathItem') requireQuery(place.value, document, remark);
    if (place.kind === 'Response') describeResponse(place.value, isStated, remark);
    if (place.kind === 'Parameter') allowEmpty(place, document, remark);
    remarkOnUnread(place, remark);
    CHANGES[place.kind]?.(place, remark);
  }
  const schemas = readSchemas(document);
  for (const place of nodes)
    if (place.kind === 'Schema') declareRequiredOfParts(place, schemas, bases, remarkOn(place));
  // Last: it moves keywords that the others look for.
  for (const place of nodes) {
    if (place.kind !== 'Schema') continue;
    replaceNullable(place, document, remarkOn(place));
    agreeOnValues(place.value, remarkOn(place));
  }
  const shown = walk(document, 'Document', [], true).nodes.filter(({ isShown }) => isShown);
  for (const place of shown) {
    if (place.kind !== 'Schema') continue;
    if (isOld) upgradeSchema(place.value, () => undefined);
    replaceNullable(place, document, () => undefined);
  }
  // After all others, because a copy has what they left of it.
  for (const { kind, value, pointer } of nodes)
    if (kind === 'Responses') remarks.push(...dropBodies(value, pointer, document));
  // Each is written where it was referred to.
  delete objectAt(document, 'components').mediaTypes;
  if (isNew !== isStated || isOld) document.openapi = isNew ? '3.2.0' : '3.1.0';
  return remarks;
}
