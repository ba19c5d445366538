import { responseFor, type Model } from '@contract-kit/core/model';
import { pipelineErrors } from '@contract-kit/core/errors';
import { type StreamForm, essenceOf, isJson } from '@contract-kit/core/http';
import { isObject } from '@contract-kit/core/json';
import { responseValidatorsOf, type ResponseValidator } from '@contract-kit/server/internals';
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

/** What is wrong with a response. */
export interface Fault {
  readonly found: string;
  readonly expected: string;
  /** Why that is expected. */
  readonly rule: string;
}

/** What is wrong with `answer` to `request`: nothing if it satisfies the contract. */
export type Oracle = (request: Case, answer: Answer) => Fault[];

export function createOracle(model: Model): Oracle {
  const validatorFor = responseValidatorsOf(model);
  const { errorCodes } = model;
  const formOf = ({ responses }: Operation, status: number, type: string) =>
    responseFor(responses, status)?.content.find((media) => essenceOf(media.type) === essenceOf(type))?.form;

  return (request, answer) => {
    const { status, headers } = answer;
    const { what, statuses, because, allow, isForHandler, operation } = request;
    // Node.js responds for the operation if the head is too long.
    const isAnsweredByOperation = request.isAnsweredByOperation && status !== HEAD_TOO_LONG;
    // The handler may choose any status that the contract declares.
    const isChosen = isForHandler && answer.returned === status;
    const contract = validatorFor(isAnsweredByOperation ? operation.id : undefined, status);
    const allowed = (headers['allow'] ?? '').split(',').map((method) => method.trim());
    const faults: Fault[] = [];
    const expect = (holds: boolean, found: string, expected: string, rule: string) => {
      if (!holds) faults.push({ found, expected, rule });
    };
    // An operation that is not implemented yet may have no example.
    const isUnfinished = status === pipelineErrors.not_implemented.status;
    expect(
      status < 500 || isUnfinished || isChosen,
      `the server failed: ${status}`,
      'a status below 500',
      'no request makes the server fail, unless the handler returns that status',
    );
    expect(
      contract !== undefined,
      `the status ${status} is not declared`,
      'a status that the contract declares',
      'the contract declares each status that an operation responds with',
    );
    expect(
      statuses.includes(status) || isChosen || isUnfinished,
      `${what} gets ${[status, ...codeIn(answer)].join(' ')}`,
      // `default` declares every status, also those of rejections.
      statuses.length > 9 ? 'a status that the handler returned' : statuses.join(' or '),
      because,
    );
    const listed = isAnsweredByOperation ? responseFor(operation.responses, status)?.codes : undefined;
    const of = {
      // The schema says what a handler's error is.
      codes: isChosen ? undefined : { errorCodes, isListed: listed !== undefined },
      form: formOf(operation, status, headers['content-type'] ?? ''),
    };
    for (const found of contract ? checkContent(contract, request, answer, of) : [])
      expect(
        false,
        found,
        'headers and a body that satisfy the contract',
        `the contract describes the response ${status}${isAnsweredByOperation ? '' : ' of the service'}`,
      );
    expect(
      headers['x-content-type-options'] === 'nosniff',
      'X-Content-Type-Options is not nosniff',
      'nosniff',
      'no browser guesses the type of a response',
    );
    expect(
      declaresCaching(request, status) || headers['cache-control'] === 'no-store',
      'Cache-Control is not no-store',
      'no-store',
      'no response is cached, unless the contract declares Cache-Control for it',
    );
    expect(
      !('x-powered-by' in headers),
      'X-Powered-By is sent',
      'no such header',
      'it helps attackers alone',
    );
    expect(
      !(Number(headers['x-ratelimit-remaining']) > Number(headers['x-ratelimit-limit'])),
      'more requests remain than the limit allows',
      'at most X-RateLimit-Limit',
      'the rate limit headers agree',
    );
    expect(
      !allow || allowed.sort().join() === allow.toSorted().join(),
      `Allow is '${headers['allow'] ?? ''}'`,
      `'${allow?.join(', ')}'`,
      'Allow lists the methods of the path (RFC 9110 §10.2.1)',
    );
    return faults;
  };
}

/** RFC 6585 §5. */
const HEAD_TOO_LONG = 431;

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
  const { headers = [] } = operation.responses.find((response) => response.status === String(status)) ?? {};
  return isAnsweredByOperation && headers.some(({ name }) => name === 'Cache-Control');
}

function checkContent(
  contract: ResponseValidator,
  { method, operation }: Case,
  { status, headers, body }: Answer,
  { codes, form }: { readonly codes: Codes | undefined; readonly form: StreamForm | undefined },
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
      ...(status < 400 || !codes || !isJson(type)
        ? []
        : checkError(JSON.parse(body), status, operation, codes)),
    ];
  } catch (error) {
    return [...problems, `the body is not JSON: ${String(error)}`];
  }
}

function checkError(
  body: unknown,
  status: number,
  { invalidStatus }: Operation,
  { errorCodes, isListed }: Codes,
): string[] {
  if (!isObject(body)) return isListed ? ['the body is no Error object'] : [];
  const code = String(body['code']);
  const usual = new Map(Object.entries<{ readonly status: number }>(pipelineErrors)).get(code)?.status;
  const declared = errorCodes?.get(code) ?? usual;
  // Other errors have the shape of the contract.
  if (!isListed && declared === undefined) return [];
  return [
    ...(body['status'] === status || !isListed
      ? []
      : [`the body says ${String(body['status'])}, not ${status}`]),
    ...([declared, declared === 400 ? invalidStatus : declared].includes(status)
      ? []
      : [`the code ${code} does not come with ${status}`]),
  ];
}

/** The codes of errors. */
interface Codes {
  readonly errorCodes: Model['errorCodes'];
  /** Whether the response lists the codes that its body may have. */
  readonly isListed: boolean;
}

/** Headers that differ between responses, or that RFC 9110 §9.3.2 lets HEAD omit. */
const OF_ONE_ANSWER = ['date', 'x-request-id', 'x-ratelimit-remaining'];
const OF_THE_BODY = ['content-length', 'transfer-encoding'];

/** Wrong differences between the responses to HEAD and GET. */
export function checkHead(head: Answer, get: Answer): Fault[] {
  const problems = head.status === get.status ? [] : [`HEAD is ${head.status}, but GET is ${get.status}`];
  for (const name of new Set([...Object.keys(head.headers), ...Object.keys(get.headers)])) {
    const [ofHead, ofGet] = [head.headers[name], get.headers[name]];
    const mayDiffer = OF_ONE_ANSWER.includes(name) || (OF_THE_BODY.includes(name) && ofHead === undefined);
    if (!mayDiffer && ofHead !== ofGet) problems.push(`HEAD has ${name}: ${ofHead}, but GET has ${ofGet}`);
  }
  const expected = 'the status and the headers of GET';
  return problems.map((found) => ({ found, expected, rule: 'HEAD responds as GET (RFC 9110 §9.3.2)' }));
}
