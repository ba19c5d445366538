import {
  ALL_OF,
  COMPOSITIONS,
  CONDITIONS,
  isComposition,
  objectAt,
  othersIn,
  REFERENCE,
  type Schemas,
  UNIONS,
} from '../../model/index.ts';
import { isObject, type JsonObject } from '../../json/index.ts';
import type { Pointer } from '../problem.ts';
import type { Node } from './walk.ts';

/* What a schema leaves out, and every other tool takes as said. */

const OBJECT_KEYWORDS = ['properties', 'required', 'additionalProperties', 'unevaluatedProperties'];
/** Keywords whose value says which types there are. */
const TYPED = ['type', REFERENCE, 'enum', 'const'];
/** Places where a type would change what a schema means. */
const UNTYPED = [...CONDITIONS, 'propertyNames'];

/**
 * Gives an object or a list that its author left without a type its type, as every other tool takes it. Only where
 * nothing composed there gives a type, and never in a condition.
 */
export function stateType({ value: schema, pointer, parent }: Node, remark: (message: string) => void): void {
  const isOfFields = OBJECT_KEYWORDS.some((keyword) => keyword in schema);
  const isList = 'items' in schema || 'prefixItems' in schema;
  if (isOfFields === isList || TYPED.some((keyword) => keyword in schema)) return;
  if (COMPOSITIONS.some((place) => doesOneGiveType(schema[place]))) return;
  let place: Node | undefined = parent;
  let steps = pointer.slice(parent?.pointer.length ?? 0);
  for (let isInside = true; isInside;) {
    const [keyword] = steps;
    if (place?.kind !== 'Schema') break;
    if (UNTYPED.includes(String(keyword))) return;
    isInside = isComposition(String(keyword));
    if (isInside && givesType(place.value)) return;
    if (keyword === ALL_OF && doesOneGiveType(place.value[ALL_OF])) return;
    steps = place.pointer.slice(place.parent?.pointer.length ?? 0);
    place = place.parent;
  }
  const type = isOfFields ? 'object' : 'array';
  remark(`the schema has no type: it is read as type: ${type}`);
  schema.type = type;
}

/** What may declare a property that a schema requires, elsewhere. */
const DECLARING = [...COMPOSITIONS, ...CONDITIONS, REFERENCE, 'patternProperties', 'propertyNames'];

/** Declares what an object requires and nothing declares: handlers could not send it. */
export function declareRequired(
  { value: schema, pointer, parent }: Node,
  bases: ReadonlySet<unknown>,
  remark: (message: string, ...pointer: Pointer) => void,
): void {
  const { properties, required } = schema;
  const others = othersIn(schema);
  if (!isObject(properties) || !Array.isArray(required) || typeof others === 'object' || others === true)
    return;
  const place = parent?.kind === 'Schema' ? pointer[parent.pointer.length] : undefined;
  if ([...Object.keys(schema), place].some((keyword) => DECLARING.includes(String(keyword)))) return;
  // A list of anything else was taken out.
  for (const [index, name] of (required as string[]).entries()) {
    if (Object.hasOwn(properties, name)) continue;
    const message = `${name.trim() || JSON.stringify(name)} is required but not declared: it may have any value; add it to properties`;
    // What extends a base may declare it.
    if (!bases.has(`#/${pointer.join('/')}`)) remark(message, 'required', index);
    schema.properties = { ...objectAt(schema, 'properties'), [name]: {} };
  }
}

/** The same for what a schema with `allOf` requires and none of its parts declares: no request could have it. */
export function declareRequiredOfParts(
  { value: schema, pointer, parent }: Node,
  schemas: Schemas,
  bases: ReadonlySet<unknown>,
  remark: (message: string, ...pointer: Pointer) => void,
): void {
  const { required } = schema;
  const place = parent?.kind === 'Schema' ? pointer[parent.pointer.length] : undefined;
  const isPart = DECLARING.includes(String(place)) || bases.has(`#/${pointer.join('/')}`);
  if (!(ALL_OF in schema) || !Array.isArray(required) || isPart) return;
  const parts = schemas.partsOf(schema);
  const mayHaveOthers = (part: JsonObject) =>
    OPENING.some((keyword) => keyword in part) || othersIn(part) !== undefined;
  if (parts.some(mayHaveOthers) || !parts.some((part) => isObject(part.properties))) return;
  const declared = schemas.fieldsOf(schema);
  for (const [index, name] of (required as string[]).entries()) {
    if (Object.hasOwn(declared, name)) continue;
    remark(
      `${name} is required but not declared: it may have any value; add it to properties`,
      'required',
      index,
    );
    schema.properties = { ...objectAt(schema, 'properties'), [name]: {} };
  }
}

/** What may declare a property of a part, but for other parts. */
const OPENING = [...UNIONS, ...CONDITIONS, 'patternProperties', 'propertyNames', 'discriminator'];

function givesType(schema: unknown): boolean {
  return TYPED.some((keyword) => keyword in Object(schema));
}

function doesOneGiveType(schemas: unknown): boolean {
  return Array.isArray(schemas) && schemas.some(givesType);
}

/** Keywords of other drafts, which some validators know, and what stands for each in JSON Schema 2020-12. */
const OF_OTHERS: Readonly<Record<string, string>> = {
  id: 'write $id',
  dependencies: 'write dependentRequired, or dependentSchemas',
  $recursiveRef: 'write $ref',
  $recursiveAnchor: 'write $ref where it is used',
  $vocabulary: 'leave it out',
  $async: 'leave it out',
};

/** Leaves out keywords that JSON Schema 2020-12 does not have: no part may take one for more than that. */
export function leaveOutOthers(
  { value: schema }: Node,
  remark: (message: string, name: string) => void,
): void {
  for (const [name, remedy] of Object.entries(OF_OTHERS)) {
    if (!Object.hasOwn(schema, name)) continue;
    remark(`${name} is ignored: JSON Schema 2020-12 has no such keyword; ${remedy}`, name);
    delete schema[name];
  }
}
