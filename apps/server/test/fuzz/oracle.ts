import { errorCodes, type OperationId } from '@petstore/contract';
import { isObject, type JsonObject } from '@petstore/contract/json-pointer';
import { replyContractsOf, type ReplyContract } from '../../src/validation/reply-contract.ts';
import type { Case } from './requests.ts';
import type { Answer } from './wire.ts';

/** Returns what is wrong with `answer` as the answer to `request`; nothing where it keeps to the contract. */
export type Oracle = (request: Case, answer: Answer) => string[];

/** Headers of a GET that RFC 9110 §9.3.2 lets a HEAD leave out, or that differ from one answer to the next. */
const OF_ONE_ANSWER = [
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'x-request-id',
  'x-ratelimit-remaining',
];

export function createOracle(document: JsonObject): Oracle {
  const contracts = replyContractsOf(document);

  function contractFor({ answeredBy, operation }: Case, status: number): ReplyContract | undefined {
    if (answeredBy === 'operation') return contracts.of(operation.id as OperationId, status);
    if (status >= 400) return contracts.ofNoOperation.error();
    return status === 204 ? contracts.ofNoOperation.empty() : undefined;
  }

  return (request, answer) => {
    const { status } = answer;
    const contract = contractFor(request, status);
    const problems: string[] = [];
    if (status >= 500) problems.push(`the server failed: ${status}`);
    if (!contract) problems.push(`the status ${status} is not declared`);
    if (!request.statuses.includes(status)) {
      problems.push(`${request.what} is answered with ${status}, not with ${request.statuses.join(' or ')}`);
    }
    return [
      ...problems,
      ...(contract ? checkContent(contract, request, answer) : []),
      ...checkCommonHeaders(answer),
      ...checkAllow(request, answer),
      ...(answer.surplus > 0 ? [`${answer.surplus} bytes follow the end of the answer`] : []),
    ];
  };
}

function checkContent(
  contract: ReplyContract,
  { method }: Case,
  { status, headers, body }: Answer,
): string[] {
  // A reply to HEAD says of what type the body would be.
  const hasBody = body.length > 0 || (method === 'HEAD' && headers['content-type'] !== undefined);
  const problems = contract.checkHead(headers, hasBody);
  if (body.length === 0) return problems;
  try {
    problems.push(...contract.checkBody(body));
    if (status >= 400) problems.push(...checkError(JSON.parse(body.toString()), status));
  } catch (error) {
    problems.push(`the body is not JSON: ${String(error)}`);
  }
  return problems;
}

function checkError(body: unknown, status: number): string[] {
  if (!isObject(body)) return ['the body is no Error object'];
  const known: Readonly<Record<string, number>> = errorCodes;
  const problems =
    body['status'] === status ? [] : [`the body says ${String(body['status'])}, not ${status}`];
  const code = String(body['code']);
  return known[code] === status ? problems : [...problems, `the code ${code} does not come with ${status}`];
}

function checkCommonHeaders({ headers }: Answer): string[] {
  const problems: string[] = [];
  if (headers['x-content-type-options'] !== 'nosniff') problems.push('X-Content-Type-Options is not nosniff');
  if (headers['cache-control'] !== 'no-store') problems.push('Cache-Control is not no-store');
  if (headers['x-powered-by'] !== undefined) problems.push('X-Powered-By is there');
  if (Number(headers['x-ratelimit-remaining']) > Number(headers['x-ratelimit-limit'])) {
    problems.push('more requests remain than the limit allows');
  }
  return problems;
}

function checkAllow({ allow }: Case, { headers }: Answer): string[] {
  if (!allow) return [];
  const sent = String(headers['allow'] ?? '');
  const methods = sent.split(',').map((method) => method.trim());
  return inOrder(methods) === inOrder(allow) ? [] : [`Allow is '${sent}', not '${allow.join(', ')}'`];
}

function inOrder(names: readonly string[]): string {
  return names.toSorted().join(', ');
}

/** RFC 9110 §9.3.2: what differs between the answers to a HEAD and to its GET, and must not. */
export function checkHead(head: Answer, get: Answer): string[] {
  const problems = head.status === get.status ? [] : [`HEAD is ${head.status}, but GET is ${get.status}`];
  const names = new Set([...Object.keys(head.headers), ...Object.keys(get.headers)]);
  for (const name of names) {
    const [ofHead, ofGet] = [head.headers[name], get.headers[name]].map(String);
    if (!OF_ONE_ANSWER.includes(name) && ofHead !== ofGet) {
      problems.push(`HEAD has ${name}: ${ofHead}, but GET has ${ofGet}`);
    }
  }
  const length = head.headers['content-length'];
  if (length !== undefined && Number(length) !== get.body.length) {
    problems.push(`HEAD says Content-Length: ${String(length)}, but GET has ${get.body.length} bytes`);
  }
  return problems;
}
