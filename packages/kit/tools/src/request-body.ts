import { isObject } from '@kit/contract/json-pointer';
import type { SourceDocument, Json } from './source-document.ts';
import type { Operation } from './operations.ts';

export interface RequestBody {
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
  const { schema } = content?.['application/json'] ?? {};
  const { type, properties, additionalProperties, ...others } = contract.resolve(schema) ?? {};
  const isPlain = type === 'object' && isObject(properties) && !additionalProperties;
  const isComposed = ['allOf', 'oneOf', 'anyOf'].some((keyword) => keyword in others);
  const isTaken = parameters.some(({ name }) => Object.hasOwn(properties ?? {}, name));
  const isRequired = required === true;
  return { schema, isRequired, isFlat: isRequired && isPlain && !isComposed && !isTaken };
}
