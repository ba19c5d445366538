import { isObject, type JsonObject } from '../../json/index.ts';
import {
  ALL_OF,
  compositionOf,
  COMPOSITIONS,
  eitherOf,
  isAnnotation,
  REFERENCE,
  referenceIn,
  resolveIn,
  UNIONS,
} from '../../model/index.ts';
import type { Pointer } from '../problem.ts';
import type { Node } from './walk.ts';

type Remark = (message: string, ...pointer: Pointer) => void;

/** What belongs to a property as a whole, whatever its value is. */
const OF_PROPERTY = ['default', 'readOnly', 'writeOnly', 'xml'];

/**
 * Replaces `nullable` of OpenAPI 3.0, which some contracts of 3.1 still have. Beside a composition or a reference it means
 * null, as TypeSpec, drf-spectacular and others write it, though 3.0.3 §4.7.24 gives it a meaning beside a type only.
 */
export function replaceNullable(
  { value: schema, pointer, parent }: Node,
  document: JsonObject,
  remark: Remark,
): void {
  const { nullable, type } = schema;
  delete schema.nullable;
  if (nullable !== true) return;
  const composed = [REFERENCE, ...COMPOSITIONS].find((keyword) => keyword in schema);
  const step = parent?.kind === 'Schema' ? String(pointer[parent.pointer.length]) : '';
  const isPart = step === ALL_OF && isEmpty(schema) && parent !== undefined;
  const [whole, place] = isPart ? [parent.value, parent.pointer] : [schema, pointer];
  // A component, which the tag of its base names.
  if (place.length === 3 && extendsTagged(whole, document))
    return remark(
      'nullable is ignored: the discriminator of what it extends names an object; write nullable where it is used',
      'nullable',
    );
  if (composed !== undefined) {
    remark(`nullable beside ${composed} is read as null: in 3.1 write anyOf with type: 'null'`, 'nullable');
    orNull(schema);
  } else if (typeof type === 'string') {
    schema.type = [type, 'null'];
  } else if (isEmpty(schema) && UNIONS.some((keyword) => keyword === step)) {
    remark("the alternative is read as type: 'null': it has nothing but nullable", 'nullable');
    schema.type = 'null';
  } else if (isPart) {
    remark('nullable in a part of allOf is read as of the whole: write it beside allOf', 'nullable');
    orNull(whole);
  } else if (step === ALL_OF) {
    remark(
      'nullable is ignored: the type is in another part of allOf; write nullable beside allOf',
      'nullable',
    );
  }
}

/** Whether a schema says nothing of values. */
function isEmpty(schema: JsonObject): boolean {
  return Object.keys(schema).every(isAnnotation);
}

/** Whether a schema extends one whose discriminator names what extends it. */
function extendsTagged(schema: JsonObject, document: JsonObject): boolean {
  return compositionOf(schema).parts.some(
    ({ schema: part }) =>
      referenceIn(part) !== undefined && isObject(resolveIn(document, part).discriminator),
  );
}

/** Lets a schema be null, too. */
function orNull(schema: JsonObject): void {
  const inner: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (isAnnotation(keyword) || OF_PROPERTY.includes(keyword)) continue;
    inner[keyword] = value;
    delete schema[keyword];
  }
  Object.assign(schema, eitherOf([inner, { type: 'null' }]));
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  array: Array.isArray,
  object: isObject,
};

const typeOf = (value: unknown): string =>
  Object.keys(TYPES).findLast((type) => TYPES[type]?.(value)) ?? 'string';

/** Makes the types and the listed values of a schema agree: each allows only what the other does. */
export function agreeOnValues(schema: JsonObject, remark: Remark): void {
  const { type, enum: values } = schema;
  const listed =
    'const' in schema ? [schema.const] : Array.isArray(values) ? (values as unknown[]) : undefined;
  if (type === undefined || !listed || listed.length === 0) return;
  const types = [type].flat().map(String);
  if (types.length > 1 && types.includes('null') && !listed.includes(null)) {
    const keyword = 'const' in schema ? 'const' : 'enum';
    remark(
      `null is not allowed: ${keyword} does not list it; add null there, or leave it out of the type`,
      keyword,
    );
    const others = types.filter((name) => name !== 'null');
    schema.type = others.length === 1 ? others[0] : others;
  }
  if (!Array.isArray(values)) return;
  const fits = (value: unknown) => types.some((name) => TYPES[name]?.(value));
  const fitting = values.filter(fits);
  if (fitting.length === values.length) return;
  if (fitting.length === 0) {
    const listedTypes = [...new Set(values.map(typeOf))];
    remark(`no value of enum is of type ${types.join(' or ')}: they are ${listedTypes.join(' or ')}`, 'type');
    schema.type = listedTypes.length === 1 ? listedTypes[0] : listedTypes;
    return;
  }
  for (const [index, value] of values.entries())
    if (!fits(value))
      remark(
        `${JSON.stringify(value).slice(0, 40)} is never allowed: the type is ${types.join(' or ')}`,
        'enum',
        index,
      );
  schema.enum = fitting;
}
