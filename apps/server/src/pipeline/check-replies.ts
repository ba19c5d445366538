import { document } from '@petstore/contract/document';
import type { OutgoingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { isObject } from '@petstore/contract/json-pointer';
import {
  compileReplyContracts,
  type ReplyContract,
  type ReplyContracts,
  type SentReply,
} from '../validation/reply-contract.ts';
import { exchangeOf } from './exchange.ts';

/** One mistake in a list is made in every element of it. */
const MAX_NAMED = 20;

/**
 * Holds every reply against the contract before it leaves, whichever middleware wrote it: status, headers, content
 * type, body. A violation becomes a 500 that says what differs. For development and tests: it parses every body.
 */
export function checkReplies(log: Logger): RequestHandler {
  const contracts = compileReplyContracts(document);
  return (req, res, next) => {
    intercept(req, res, contracts, log);
    next();
  };
}

function intercept(req: Request, res: Response, contracts: ReplyContracts, log: Logger): void {
  const writeHead = res.writeHead.bind(res);
  const write = res.write.bind(res) as (...args: unknown[]) => boolean;
  const end = res.end.bind(res) as (...args: unknown[]) => Response;
  const isHead = req.method === 'HEAD';
  let headSent = false;

  const sendHead = () => {
    headSent = true;
    writeHead(res.statusCode);
  };
  const problems = (body: Buffer | undefined): string[] => {
    const reply = { status: res.statusCode, headers: res.getHeaders(), body, isHead };
    const contract = contractFor(req, reply.status, contracts);
    if (contract === 'unchecked') return [];
    if (contract === undefined) return [`the status ${reply.status} is not declared`];
    return [...contract.checkHead(reply), ...(body?.length ? checkJson(contract, body) : [])];
  };
  const report = (violations: readonly string[]) => {
    const { requestId, match } = exchangeOf(req);
    log.error(
      { requestId, match, status: res.statusCode, violations: violations.slice(0, MAX_NAMED) },
      'the reply violates the contract',
    );
  };
  const fail = (violations: readonly string[]): Response => {
    report(violations);
    for (const name of res.getHeaderNames()) res.removeHeader(name);
    const more = violations.length > MAX_NAMED ? `; and ${violations.length - MAX_NAMED} more` : '';
    const message = `The reply violates the contract: ${violations.slice(0, MAX_NAMED).join('; ')}${more}.`;
    const body = JSON.stringify({ code: 'internal_error', message, status: 500 });
    exchangeOf(req).errorCode = 'internal_error';
    res.statusCode = 500;
    setHeaders(res, {
      ...exchangeOf(req).headers,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
    });
    sendHead();
    return end(body, 'utf8');
  };

  exchangeOf(req).checkElements = (page) => {
    const contract = contractFor(req, res.statusCode, contracts);
    if (contract === 'unchecked') return true;
    const elements = typeof page === 'string' ? (JSON.parse(`[${page}]`) as unknown[]) : page;
    const violations = elements.flatMap((element) => contract?.checkElement(element) ?? []);
    if (violations.length > 0) report(violations);
    return violations.length === 0;
  };

  // The head is held back until the first byte of the body, so that a violation can still become a 500.
  res.writeHead = ((status: number, ...rest: unknown[]) => {
    res.statusCode = status;
    const headers = rest.find(isObject);
    if (headers) setHeaders(res, headers as OutgoingHttpHeaders);
    return res;
  }) as typeof res.writeHead;

  res.write = ((chunk: unknown, ...rest: unknown[]) => {
    if (!headSent) {
      const violations = problems(undefined);
      if (violations.length > 0) {
        fail(violations);
        return false;
      }
      sendHead();
    }
    return write(chunk, ...rest);
  }) as typeof res.write;

  res.end = ((...args: unknown[]) => {
    if (headSent || res.writableEnded) return end(...args);
    const violations = problems(decoded(bytesOf(args), res));
    if (violations.length > 0) return fail(violations);
    sendHead();
    return end(...args);
  }) as typeof res.end;
}

function contractFor(
  req: Request,
  status: SentReply['status'],
  contracts: ReplyContracts,
): ReplyContract | 'unchecked' | undefined {
  const { match } = exchangeOf(req);
  if (match.kind === 'page') return 'unchecked';
  if (match.kind === 'operation') return contracts.of(match.operationId, status);
  if (status >= 400) return contracts.ofNoOperation.error;
  return status === 204 ? contracts.ofNoOperation.empty : undefined;
}

function checkJson(contract: ReplyContract, body: Buffer): string[] {
  try {
    return contract.checkBody(JSON.parse(body.toString('utf8')));
  } catch (error) {
    return [`the body is not JSON: ${String(error)}`];
  }
}

function bytesOf([chunk, encoding]: unknown[]): Buffer {
  if (typeof chunk === 'string')
    return Buffer.from(chunk, typeof encoding === 'string' ? (encoding as 'utf8') : 'utf8');
  return Buffer.isBuffer(chunk) ? chunk : Buffer.alloc(0);
}

function decoded(body: Buffer, res: Response): Buffer {
  return res.getHeader('content-encoding') === 'gzip' ? gunzipSync(body) : body;
}

function setHeaders(res: Response, headers: OutgoingHttpHeaders): void {
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) res.setHeader(name, value);
}
