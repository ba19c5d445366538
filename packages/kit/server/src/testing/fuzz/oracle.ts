import type { Contract } from '@contract-kit/core';
import { objectAt, schemasOf } from '@contract-kit/core/model';
import { pipelineErrors } from '@contract-kit/core/pipeline-errors';
import type { StreamForm } from '@contract-kit/core/stream-form';
import { isObject, type JsonObject } from '@contract-kit/core/json-pointer';
import { entryOf, essenceOf } from '@contract-kit/core/media-type';
import { responseValidatorsOf, type ResponseValidator } from '../../validation/response-validator.ts';
import type { Operation } from './operations.ts';
import type { Case } from './requests.ts';
import { itemsIn } from './stream-items.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The status that the handler returned; undefined if the pipeline responds. */
  readonly returned?: number | undefined;
}

/** What is wrong with `answer` to `request`, or undefined if it satisfies the contract. */
export type Oracle = (request: Case, answer: Answer) => string[];

export function createOracle(contract: Contract): Oracle {
  const validatorFor = responseValidatorsOf(contract);
  const errorCodes = contract.document['x-error-codes'];
  const formOf = ({ id }: Operation, status: number, type: string) =>
    entryOf(contract.operations[id]?.streams ?? {}, status)?.[essenceOf(type)];

  return (request, answer) => {
    const { status, headers } = answer;
    const { what, statuses, allow, isAnsweredByOperation, isForHandler, operation } = request;
    // The handler may choose any status that the contract declares.
    const isChosen = isForHandler && answer.returned === status;
    const contract = validatorFor(isAnsweredByOperation ? operation.id : undefined, status);
    const allowed = (headers['allow'] ?? '').split(',').map((method) => method.trim());
    return [
      // An operation that is not implemented yet may have no example.
      status >= 500 && status !== 501 && !isChosen && `the server failed: ${status}`,
      !contract && `the status ${status} is not declared`,
      !statuses.includes(status) &&
        !isChosen &&
        status !== 501 &&
        `${what} is answered with ${[status, ...codeIn(answer)].join(' ')}, ${
          // `default` declares every status, also those of refusals.
          statuses.length > 9 ? 'which no handler returned' : `not with ${statuses.join(' or ')}`
        }`,
      // The schema says what a handler's error is.
      ...(contract
        ? checkContent(contract, request, answer, {
            codes: isChosen ? undefined : errorCodes,
            form: formOf(operation, status, headers['content-type'] ?? ''),
          })
        : []),
      headers['x-content-type-options'] !== 'nosniff' && 'X-Content-Type-Options is not nosniff',
      !declaresCaching(request, status) &&
        headers['cache-control'] !== 'no-store' &&
        'Cache-Control is not no-store',
      'x-powered-by' in headers && 'X-Powered-By is there',
      Number(headers['x-ratelimit-remaining']) > Number(headers['x-ratelimit-limit']) &&
        'more requests remain than the limit allows',
      allow &&
        allowed.sort().join() !== allow.toSorted().join() &&
        `Allow is '${headers['allow'] ?? ''}', not '${allow.join(', ')}'`,
    ].filter((problem) => typeof problem === 'string');
  };
}

/** The code of an error, if its body has one. */
function codeIn({ status, body }: Answer): unknown[] {
  try {
    const error: unknown = status < 400 ? undefined : JSON.parse(body);
    return isObject(error) && 'code' in error ? [error['code']] : [];
  } catch {
    return [];
  }
}

/** Whether the contract declares Cache-Control for the response. */
function declaresCaching({ isAnsweredByOperation, operation }: Case, status: number): boolean {
  const { definition, document } = operation;
  const response = schemasOf(document).resolve(objectAt(definition, 'responses')[status]);
  return isAnsweredByOperation && 'Cache-Control' in objectAt(response, 'headers');
}

function checkContent(
  contract: ResponseValidator,
  { method, operation }: Case,
  { status, headers, body }: Answer,
  { codes, form }: { readonly codes: unknown; readonly form: StreamForm | undefined },
): string[] {
  // A response to HEAD has the type of the body that GET would have.
  const hasBody = body !== '' || (method === 'HEAD' && 'content-type' in headers);
  const problems = contract.checkHead(headers, hasBody);
  if (body === '') return problems;
  const type = headers['content-type'] ?? '';
  try {
    if (form) return [...problems, ...itemsIn(body, form).flatMap((item) => contract.checkItem(item, type))];
    return [
      ...problems,
      ...contract.checkBody(body, type),
      ...(status < 400 || !isObject(codes) ? [] : checkError(JSON.parse(body), status, codes, operation)),
    ];
  } catch (error) {
    return [...problems, `the body is not JSON: ${String(error)}`];
  }
}

function checkError(
  body: unknown,
  status: number,
  errorCodes: JsonObject,
  { invalidStatus }: Operation,
): string[] {
  if (!isObject(body)) return ['the body is no Error object'];
  const code = String(body['code']);
  const declared = objectAt({ ...pipelineErrors, ...errorCodes }, code)['status'];
  return [
    ...(body['status'] === status ? [] : [`the body says ${String(body['status'])}, not ${status}`]),
    ...([declared, declared === 400 ? invalidStatus : declared].includes(status)
      ? []
      : [`the code ${code} does not come with ${status}`]),
  ];
}

/** Headers that differ between responses, or that RFC 9110 §9.3.2 lets HEAD omit. */
const OF_ONE_ANSWER = ['date', 'x-request-id', 'x-ratelimit-remaining'];
const OF_THE_BODY = ['content-length', 'transfer-encoding'];

/** Wrong differences between the responses to HEAD and GET. */
export function checkHead(head: Answer, get: Answer): string[] {
  const problems = head.status === get.status ? [] : [`HEAD is ${head.status}, but GET is ${get.status}`];
  for (const name of new Set([...Object.keys(head.headers), ...Object.keys(get.headers)])) {
    const [ofHead, ofGet] = [head.headers[name], get.headers[name]];
    const mayDiffer = OF_ONE_ANSWER.includes(name) || (OF_THE_BODY.includes(name) && ofHead === undefined);
    if (!mayDiffer && ofHead !== ofGet) problems.push(`HEAD has ${name}: ${ofHead}, but GET has ${ofGet}`);
  }
  return problems;
}
