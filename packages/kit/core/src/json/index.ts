/*
 * JSON of a contract: pointers into it, exact numbers, patterns in linear time, and the validator of its schemas.
 */

export { contractAjv, SCHEMA_ID } from './contract-ajv.ts';
export { hasExactNumbers, INT64_PATTERN, INT64_WANTED, isInt64 } from './int64.ts';
export {
  isObject,
  type JsonObject,
  pointerTo,
  referenceTo,
  resolve,
  stepsOf,
  type Pointer,
} from './json-pointer.ts';
export { isMultipleOf } from './multiple.ts';
export { isNearName } from './near-name.ts';
export { patternOf, regularExpression } from './pattern.ts';
