/*
 * A document as operations and schemas, read once and passed down. Only this room follows references and compositions.
 */

export { closedComponents, closedSchema } from './closed-schema.ts';
export { componentId, componentsById } from './component-ids.ts';
export {
  compositionOf,
  eitherOf,
  isComposed,
  type Union,
  withParts,
  withReferenceAsPart,
  withUnionAsPart,
} from './composition.ts';
export {
  bodyTypeOf,
  clientContentOf,
  concreteKindOf,
  fieldStylesOf,
  isScalarText,
  partTypesOf,
  preferredOf,
  requestBodyOf,
  scalarTypeOf,
} from './content.ts';
export { decidedComponents, decidedIn, wholeWithRules, withExtensions, withTags } from './decided-schema.ts';
export { refusesOtherSites, setsCookie, takesCookie, takesCookieKey } from './cookies.ts';
export {
  headerOf,
  isInJson,
  isInt64Parameter,
  isInUsualStyle,
  isScalar,
  objectAt,
  parameterKey,
  parameterOf,
  withShared,
  writtenStyleOf,
} from './described.ts';
export {
  ALL_OF,
  COMPOSITIONS,
  CONDITIONS,
  consequencesOf,
  ELSEWHERE,
  isAnnotation,
  isComposition,
  SUBSCHEMAS,
  UNIONS,
  type View,
} from './keywords.ts';
export {
  callbacksOf,
  hasScopes,
  hasStream,
  isOpen,
  linkedOperation,
  METHODS,
  methodsOf,
  type Model,
  operationName,
  readModel,
  responseFor,
  schemesIn,
  successesOf,
} from './model.ts';
export { typeName } from './names.ts';
export {
  componentIn,
  componentReference,
  dereferenced,
  follow,
  mentionsReference,
  REFERENCE,
  referenceIn,
  referencesFrom,
  referTo,
  resolveIn,
} from './references.ts';
export { schemaIn } from './schema-view.ts';
export { othersIn, readSchemas } from './schemas.ts';
export { eventsIn, eventsOf, isOfDataAlone, STREAM_TYPES, streamOf } from './stream.ts';
export { endlessIn } from './endless.ts';
export { subschemasOf, withProperties, withSubschemas } from './subschemas.ts';
export { isDefaultUnknown, type Tagged, taggedIn } from './tags.ts';
export type {
  Callback,
  Described,
  Extension,
  Family,
  Link,
  MediaType,
  Operation,
  OperationObject,
  Parameter,
  RequestBody,
  Requirement,
  Response,
  ResponseLink,
  Sample,
  Schema,
  Schemas,
  SentMediaType,
  Style,
} from './types.ts';
export { basePathOf, serverAddress } from './servers.ts';
