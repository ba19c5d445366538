import type { Json, Pointer } from '../problem.ts';
import { methodsOf } from '@kit/contract/model';
import { SECTIONS, type Kind } from './grammar.ts';
import { walk, type Node } from './walk.ts';

/** Something harmless in a contract that does not do what its author may expect. */
export interface Remark {
  readonly pointer: Pointer;
  readonly message: string;
}

type Change = (place: Node, remark: (message: string, ...pointer: Pointer) => void) => void;

/** Headers of requests whose description is ignored (OpenAPI 3.1 §4.8.12.2). */
const IGNORED_HEADERS = /^(accept|content-type|authorization)$/i;

/** Headers of responses that follow from the content, or belong to the connection. */
const SERVER_HEADERS =
  /^(connection|content-(length|type)|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

/** By kind of object: its OpenAPI 3.1 form, without the parts that OpenAPI ignores. */
const CHANGES: Partial<Record<Kind, Change>> = {
  Components({ value }, remark) {
    // Nothing in code has the name of a scheme.
    for (const section of Object.values(SECTIONS).filter((name) => name !== 'securitySchemes')) {
      for (const name of Object.keys(value[section] ?? {})) {
        if (/^[\w.-]+$/.test(name)) continue;
        remark('the names of components are letters, digits and . _ -', section, name);
        delete value[section][name];
      }
    }
  },
  Paths({ value }) {
    for (const name of Object.keys(value)) if (name.startsWith('x-')) delete value[name];
  },
  PathItem({ value }, remark) {
    for (const method of methodsOf(value)) {
      if (!/^(get|head|trace)$/.test(method) || !value[method]?.requestBody) continue;
      remark('a body of GET or HEAD is ignored: it means nothing (RFC 9110 §9.3.1)', method, 'requestBody');
      delete value[method].requestBody;
    }
    dropHeaders(value, remark);
  },
  Operation({ value }, remark) {
    value.responses ??= {};
    dropHeaders(value, remark);
  },
  Parameter({ value }, remark) {
    if (value.in !== 'path' || value.required === true) return;
    remark(
      'a path parameter is always required: write required: true',
      'required' in value ? 'required' : 'name',
    );
    value.required = true;
  },
  Responses({ value }, remark) {
    for (const status of ['204', '205', '304']) {
      if (!value[status]?.content) continue;
      remark(`a ${status} has no body (RFC 9110 §15): its content is ignored`, status, 'content');
      value[status] = { ...value[status] };
      delete value[status].content;
    }
  },
  Response({ value }, remark) {
    if (value.description === undefined) remark('a response needs description');
    value.description ??= '';
    for (const name of Object.keys(value.headers ?? {})) {
      if (!SERVER_HEADERS.test(name)) continue;
      remark(`the header ${name} is ignored: the server writes it by itself`, 'headers', name);
      value.headers = { ...value.headers };
      delete value.headers[name];
    }
    if (value.content && Object.keys(value.content).length === 0) delete value.content;
  },
  RequestBody({ value }) {
    if (value.content && Object.keys(value.content).length === 0) delete value.content;
  },
  MediaType({ value }) {
    value.schema ??= {};
  },
};

const OBJECT_KEYWORDS = ['properties', 'required', 'additionalProperties'];
/** Keywords whose value says which types there are. */
const TYPED = ['type', '$ref', 'enum', 'const'];
/** Places whose schemas hold for the value that the schema around them describes. */
const APPLIED = ['allOf', 'oneOf', 'anyOf'];
/** Places where a type would change what a schema means. */
const CONDITIONS = ['not', 'if', 'then', 'else', 'dependentSchemas', 'contains', 'propertyNames'];

/**
 * Gives an object or a list that its author left without a type its type, as every other tool takes it. Only where
 * nothing composed there gives a type, and never in a condition.
 */
function stateType({ value: schema, pointer, parent }: Node, remark: (message: string) => void): void {
  const isObject = OBJECT_KEYWORDS.some((keyword) => keyword in schema);
  const isList = 'items' in schema || 'prefixItems' in schema;
  if (isObject === isList || TYPED.some((keyword) => keyword in schema)) return;
  if (APPLIED.some((place) => schema[place]?.some(givesType))) return;
  let place: Node | undefined = parent;
  let steps = pointer.slice(parent?.pointer.length ?? 0);
  for (let isInside = true; isInside;) {
    const [keyword] = steps;
    if (place?.kind !== 'Schema') break;
    if (CONDITIONS.includes(String(keyword))) return;
    isInside = APPLIED.includes(String(keyword));
    if (isInside && givesType(place.value)) return;
    if (keyword === 'allOf' && place.value.allOf.some(givesType)) return;
    steps = place.pointer.slice(place.parent?.pointer.length ?? 0);
    place = place.parent;
  }
  const type = isObject ? 'object' : 'array';
  remark(`the schema has no type: it is read as type: ${type}`);
  schema.type = type;
}

function givesType(schema: Json): boolean {
  return TYPED.some((keyword) => keyword in Object(schema));
}

function dropHeaders(value: Json, remark: (message: string, ...pointer: Pointer) => void): void {
  if (!Array.isArray(value.parameters)) return;
  value.parameters = value.parameters.filter((parameter: Json, index: number) => {
    const isIgnored = parameter?.in === 'header' && IGNORED_HEADERS.test(String(parameter.name));
    if (isIgnored)
      remark(`the parameter ${parameter.name} is ignored: security and content say it`, 'parameters', index);
    return !isIgnored;
  });
}

/** Replaces a keyword of 3.0, which some contracts of 3.1 still have: ajv rejects it next to a reference. */
function replaceNullable(schema: Json): void {
  if (schema.nullable === true && typeof schema.type === 'string') schema.type = [schema.type, 'null'];
  delete schema.nullable;
}

/** A schema of 3.0 as one of 3.1. */
function upgradeSchema(schema: Json): void {
  // In 3.0 siblings of a reference are ignored (OpenAPI 3.0.3 §4.7.23).
  if ('$ref' in schema) for (const name of Object.keys(schema)) if (name !== '$ref') delete schema[name];
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

/**
 * Removes misshapen parts, so that the rest can be checked. Returns these and the missing ones: as remarks if
 * only an example is affected.
 */
export function takeOutMisshapen(document: Json, leftOut: ReadonlySet<Json>) {
  const wrong = walk(document).violations.filter(
    (violation) => violation.is !== 'stray' && !leftOut.has(violation.of),
  );
  for (const { pointer } of wrong.filter((violation) => violation.is === 'misshapen').toReversed()) {
    const holder = pointer.slice(0, -1).reduce<Json>((node, step) => node?.[step], document);
    const last = pointer.at(-1);
    if (Array.isArray(holder)) holder.splice(Number(last), 1);
    else if (last !== undefined && holder) delete holder[last];
  }
  return {
    problems: wrong.filter(({ isExample }) => !isExample),
    remarks: wrong.filter(({ isExample }) => isExample),
  };
}

/**
 * Converts `document` to OpenAPI 3.1 without ignored parts. The grammar distinguishes schemas from
 * similar data: a property named `example` or `nullable` stays one.
 */
export function makePlain(document: Json): Remark[] {
  const remarks: Remark[] = [];
  const isOld = /^3\.0\./.test(String(document.openapi));
  for (const place of walk(document).nodes) {
    if (isOld && place.kind === 'Schema') upgradeSchema(place.value);
    if (place.kind === 'Schema') {
      replaceNullable(place.value);
      stateType(place, (message) => remarks.push({ pointer: place.pointer, message }));
    }
    CHANGES[place.kind]?.(place, (message, ...pointer) =>
      remarks.push({ pointer: [...place.pointer, ...pointer], message }),
    );
  }
  if (isOld) document.openapi = '3.1.0';
  return remarks;
}
