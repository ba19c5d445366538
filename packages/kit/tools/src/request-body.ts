import { isObject } from '@kit/contract/json-pointer';
import { preferred } from '@kit/contract/media-type';
import type { SourceDocument, Json } from './source-document.ts';
import type { Operation } from './operations.ts';

/** Keywords that may add fields to those of `properties`. */
const COMPOSING = ['allOf', 'oneOf', 'anyOf', 'if', 'patternProperties', 'dependentSchemas'];

export interface RequestBody {
  readonly mediaType: string;
  readonly schema: Json;
  readonly isRequired: boolean;
  /** Whether callers pass its fields beside the parameters, and not the whole of it as `body`. */
  readonly isFlat: boolean;
}

/** The request body of an operation. Its fields are parameters of the call only where that can mean one thing alone. */
export function requestBodyOf(
  contract: SourceDocument,
  { definition, parameters }: Operation,
): RequestBody | undefined {
  if (!definition.requestBody) return undefined;
  const { required, content } = contract.resolve(definition.requestBody);
  const [mediaType, media] = preferred<Json>(content) ?? [];
  if (mediaType === undefined) return undefined;
  const { schema } = media;
  const { type, properties, additionalProperties, ...others } = contract.resolve(schema) ?? {};
  const isPlain = type === 'object' && isObject(properties) && !additionalProperties;
  const isComposed = COMPOSING.some((keyword) => keyword in others);
  const isTaken = parameters.some(({ name }) => Object.hasOwn(properties ?? {}, name));
  const isRequired = required === true;
  return { mediaType, schema, isRequired, isFlat: isRequired && isPlain && !isComposed && !isTaken };
}
