import { generateSync, type JsonSchema } from 'json-schema-faker';
import type { Contract } from '@kit/contract';
import { dereferenced, describedOperation, objectAt } from '@kit/contract/described-operation';
import type { JsonObject } from '@kit/contract/json-pointer';
import { headersOfDeprecation, headersOfEveryResponse } from '@kit/contract/pipeline-headers';
import { isJson, preferred } from '@kit/contract/media-type';
import { exampleOf, shownExamples, type Schema, type WithExamples } from '@kit/contract/shown-example';
import { responseValidatorsOf, type ResponseValidator } from '../validation/response-validator.ts';
import type { ResponseContent } from './respond.ts';

/** Headers that handlers do not set. */
const ELSEWHERE: readonly string[] = [...headersOfEveryResponse, ...headersOfDeprecation];

/** Always the same text for a pattern. It is validated afterwards. */
const patternText = ({ pattern, minLength, maxLength }: Schema): string =>
  generateSync({ type: 'string', pattern, minLength, maxLength } as JsonSchema, { seed: 1 }) as string;

/**
 * The example responses of `operationIds`: the contract's if it is valid, otherwise one made from the schema. An operation
 * without a valid example has none.
 */
export function examplesOf(
  contract: Contract,
  operationIds: readonly string[],
): Readonly<Record<string, ResponseContent>> {
  const validatorFor = responseValidatorsOf(contract);
  return Object.fromEntries(
    operationIds.flatMap((operationId) => {
      const operation = contract.operations[operationId];
      if (!operation) return [];
      const { definition } = describedOperation(contract.document, operation);
      const responses = objectAt(definition, 'responses');
      const key = firstSuccess(Object.keys(responses));
      const status = Number(key?.replace(/^(2XX|default)$/i, '200') ?? 204);
      const validator = validatorFor(operationId, status);
      if (key === undefined || !validator) return [[operationId, { status }]];
      const example = exampleOfResponse(
        contract.document,
        dereferenced(responses[key], contract.document),
        validator,
      );
      return example ? [[operationId, { status, ...example }]] : [];
    }),
  );
}

/** The lowest declared success, otherwise `2XX`, otherwise `default`. */
function firstSuccess(statuses: readonly string[]): string | undefined {
  const [lowest] = statuses.filter((status) => /^2\d\d$/.test(status)).toSorted();
  return (
    lowest ?? statuses.find((each) => /^2XX$/i.test(each)) ?? statuses.find((each) => each === 'default')
  );
}

/** The required headers and the body of a response; undefined if no valid one can be made. */
function exampleOfResponse(
  document: JsonObject,
  response: JsonObject,
  validator: ResponseValidator,
): Pick<ResponseContent, 'headers' | 'body'> | undefined {
  const headers: Record<string, string> = {};
  for (const [name, each] of Object.entries(objectAt(response, 'headers'))) {
    const header = dereferenced(each, document);
    if (header['required'] !== true || ELSEWHERE.includes(name)) continue;
    const value = candidates(document, header)
      .map((candidate) => String(candidate))
      .find((candidate) => validator.checkHeader(name, candidate).length === 0);
    if (value === undefined) return undefined;
    headers[name] = value;
  }
  const [type, media] = preferred(objectAt(response, 'content')) ?? [];
  if (type === undefined) return { headers };
  const isBodyJson = isJson(type);
  const body = candidates(document, dereferenced(media, document)).find((candidate) =>
    isBodyJson
      ? candidate !== undefined && validator.checkBody(JSON.stringify(candidate)).length === 0
      : true,
  );
  if (isBodyJson) return body === undefined ? undefined : { headers, body };
  return { headers, body: typeof body === 'string' ? body : '' };
}

/** The contract's examples first, then generated ones. */
function candidates(document: JsonObject, media: WithExamples): unknown[] {
  const made = { view: 'response', patternText } as const;
  return [
    ...shownExamples(document, media),
    exampleOf(document, { schema: media.schema ?? {} }, made),
    exampleOf(document, { schema: media.schema ?? {} }, { ...made, ignoresShown: true }),
  ];
}
