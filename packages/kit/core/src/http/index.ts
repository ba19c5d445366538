/*
 * How a request and a response carry what a contract says: paths, credentials, parameters in their styles, media types, headers
 * and the items of streams. The server reads with it; clients, samples and tests write with it.
 */

export { challengeOf, formOf } from './challenge.ts';
export { attachment, nameOfFile, nameWithoutFolder } from './content-disposition.ts';
export {
  type Credential,
  cookieWithKey,
  credentialOf,
  type CredentialWord,
  credentialWordOf,
  DEFAULT_CREDENTIALS,
  eitherWord,
  keyIn,
  keyText,
  type SecurityScheme,
  urlWithKey,
} from './credential.ts';
export { parametersIn } from './header-parameters.ts';
export { IDEMPOTENCY_KEY, idempotencyKeyOf } from './idempotency-key.ts';
export { itemText } from './item-text.ts';
export {
  type BodyKind,
  bodyKindOf,
  entryKeyOf,
  entryOf,
  essenceOf,
  isJson,
  isMediaType,
  isText,
  isWithin,
  JSON_LIMIT,
  matching,
  parametersOf,
  preferred,
  typeInRange,
} from './media-type.ts';
export { isSafe } from './method.ts';
export { docsPaths, mcpPath, opsPaths, kitPaths } from './kit-paths.ts';
export {
  cookieTexts,
  decoded,
  pairTexts,
  type ParameterReader,
  parameterReader,
  type ParameterShape,
  type ParameterTexts,
  textsOf,
} from './parameter-reader.ts';
export {
  jsonInHeader,
  type ParameterStyle,
  type PlacedParameter,
  writeParameter,
  writePath,
} from './parameters.ts';
export {
  deprecationHeaders,
  headersOfDeprecation,
  headersOfEveryResponse,
  headersOfStatus,
  rateLimitHeaders,
} from './pipeline-headers.ts';
export {
  encodedTemplate,
  isLiteral,
  paramsOf,
  pathShapeOf,
  type Route,
  routeFinder,
  underBasePath,
} from './routes.ts';
export { dataFormOf, type StreamForm, type StreamKind } from './stream-form.ts';
