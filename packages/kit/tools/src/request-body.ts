import { isObject } from '@kit/contract/json-pointer';
import { isJson, preferred, requestKindOf, type BodyKind } from '@kit/contract/media-type';
import type { SourceDocument, Json } from './source-document.ts';
import type { Operation } from './operations.ts';

/** The most bytes of a form, a text or a file, unless `x-body-limit` is set. */
const LARGE = 1_000_000;

/** Keywords that may add fields to those of `properties`. */
const COMPOSING = ['allOf', 'oneOf', 'anyOf', 'if', 'patternProperties', 'dependentSchemas'];

export interface RequestBody {
  readonly mediaType: string;
  readonly schema: Json;
  /** Accepted media types other than the preferred one. */
  readonly others: readonly BodyKind[];
  /** The most bytes that it may have, if another type than JSON is taken. */
  readonly limit?: number;
  readonly isRequired: boolean;
  /** Whether callers pass its fields with the parameters, instead of all of it as `body`. */
  readonly isFlat: boolean;
}

/** The request body of an operation. Its fields are parameters of the call if that is unambiguous. */
export function requestBodyOf(
  contract: SourceDocument,
  { definition, parameters }: Operation,
): RequestBody | undefined {
  if (!definition.requestBody) return undefined;
  const { required, content } = contract.resolve(definition.requestBody);
  const [range, media] = preferred<Json>(content) ?? [];
  if (range === undefined) return undefined;
  const kindOf = (type: string) => requestKindOf(type, contract.resolve(content[type].schema));
  const { schema } = media;
  const { type, properties, additionalProperties, ...others } = contract.resolve(schema) ?? {};
  const isPlain = type === 'object' && isObject(properties) && !additionalProperties;
  const isComposed = COMPOSING.some((keyword) => keyword in others);
  const isTaken = parameters.some(({ name }) => Object.hasOwn(properties ?? {}, name));
  const isRequired = required === true;
  const kinds = Object.keys(content).map(kindOf);
  const isJsonAlone = kinds.every((kind) => kind === 'json');
  const limit: number | undefined = definition['x-body-limit'] ?? (isJsonAlone ? undefined : LARGE);
  return {
    mediaType: kindOf(range) === 'bytes' && isJson(range) ? 'application/octet-stream' : range,
    schema,
    others: [...new Set(kinds)].filter((kind) => kind !== kindOf(range)),
    ...(limit !== undefined && { limit }),
    isRequired,
    isFlat: isJsonAlone && isRequired && isPlain && !isComposed && !isTaken,
  };
}
