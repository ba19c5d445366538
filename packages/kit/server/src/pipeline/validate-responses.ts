import type { Model } from '@contract-kit/core/model';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { ApiError } from '../http/api-error.ts';
import { responseValidatorsOf, type ResponseValidator } from '../validation/response-validator.ts';
import { requestContextOf, operationIdOf, type Outgoing } from './request-context.ts';
import { errorToResponse, outgoingOf } from './respond.ts';

/** A mistake in a list usually repeats in every element. */
const MAX_NAMED = 20;

/** Makes `respond` validate every response first. A violation becomes a 500 that names it, and cuts a streamed list. */
export function validateResponses(model: Model, log: Logger): RequestHandler {
  const validatorFor = responseValidatorsOf(model);
  return (req, _res, next) => {
    const context = requestContextOf(req);
    const { requestId } = context;

    const errorOf = (status: number, violations: readonly string[]): ApiError => {
      const named = violations.slice(0, MAX_NAMED);
      const more = violations.length > MAX_NAMED ? `; and ${violations.length - MAX_NAMED} more` : '';
      const wrong = `${named.join('; ')}${more}`;
      const operationId = operationIdOf(context);
      log.error(
        {
          err: withoutFrames(`${operationId ?? req.url} responded with ${status}: ${wrong}`),
          ...{ requestId, code: 'internal_error', operationId, status, violations: named },
        },
        'the response violates the contract',
      );
      return new ApiError('internal_error', `The response violates the contract: ${wrong}.`);
    };

    async function* checked(
      { status, body }: OutgoingList,
      validator: ResponseValidator,
    ): AsyncGenerator<string> {
      for await (const batch of body) {
        const elements = JSON.parse(`[${batch}]`) as unknown[];
        const violations = elements.flatMap((element) => validator.checkElement(element));
        if (violations.length > 0) throw errorOf(status, violations);
        yield batch;
      }
    }

    context.validateItem = (status, item, type) => {
      const violations = validatorFor(operationIdOf(context), status)?.checkItem(item, type) ?? [];
      if (violations.length > 0) throw errorOf(status, violations);
    };
    context.validateResponse = (outgoing) => {
      const { match } = context;
      if (match.kind === 'outside') return outgoing;
      // A rejection has the shape of its operation if that declares the status.
      const rejected = match.kind === 'rejected' ? match.operationId : undefined;
      const validator =
        (rejected === undefined ? undefined : validatorFor(rejected, outgoing.status)) ??
        validatorFor(operationIdOf(context), outgoing.status);
      const violations = validator
        ? violationsOf(outgoing, validator)
        : [`the status ${outgoing.status} is not declared`];
      if (violations.length > 0) {
        const error = errorOf(outgoing.status, violations);
        context.errorCode = error.code;
        return outgoingOf(context, errorToResponse(req, error));
      }
      return validator && isList(outgoing) ? { ...outgoing, body: checked(outgoing, validator) } : outgoing;
    };
    next();
  };
}

/** An error for the log. Its frames would be those of the kit, long after the handler has returned. */
function withoutFrames(message: string): Error {
  const error = new Error(message);
  error.stack = `Error: ${message}`;
  return error;
}

type OutgoingList = Outgoing & { readonly body: AsyncIterable<string> };

function isList(outgoing: Outgoing): outgoing is OutgoingList {
  return typeof outgoing.body === 'object' && !Buffer.isBuffer(outgoing.body);
}

function violationsOf({ head, body }: Outgoing, validator: ResponseValidator): string[] {
  const headers = Object.fromEntries(
    Object.entries(head).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const violations = validator.checkHead(headers, body !== undefined);
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return violations;
  try {
    return [...violations, ...validator.checkBody(body, String(head['Content-Type'] ?? ''))];
  } catch (error) {
    return [...violations, `the body is not JSON: ${String(error)}`];
  }
}
