import { isJson, JSON_LIMIT } from '@contract-kit/core/http';
import type { pipelineErrors } from '@contract-kit/core/errors';
import { errorsOf, errorTexts, NO_REQUEST_ID, type OperationError } from '@contract-kit/core/errors';
import { decisionOf, MINUTE, newCounters } from '@contract-kit/core/limits';
import { responseFor, successesOf, type Model, type Operation } from '@contract-kit/core/model';
import { ApiError, pipelineError, serviceUnavailable } from '../../http/api-error.ts';
import { addressAccount, INVALID_KEY_QUOTA } from '../../limits/account.ts';
import { insufficientScope, keyMissing } from '../../pipeline/require-security.ts';
import { schemesOf, type Scheme } from '../../pipeline/schemes.ts';
import { shownTypeOf } from '../../validation/request-body.ts';
import { rejectionOf, unknownIn } from '../../validation/violations.ts';
import type { Response } from '../openapi.ts';
import type { Served } from '../served.ts';

/* The errors that the service itself sends, with the bodies that it makes for them. */

/** The body of an error. */
interface SentError {
  readonly code: string;
  readonly isJson: boolean;
  readonly text: string;
}

/** The errors that the service itself sends as `response`; none if the contract's author shows an example. */
export function sentErrorsOf(served: Served, response: Response): SentError[] {
  const { model, errorBodies, contract } = served;
  const operation = operationOfResponse(model, response);
  const isShown = response.content.some((media) => media.example !== undefined || media.examples);
  if (!operation || !errorBodies || isShown) return [];
  const all = errorsAt(model, operation, response);
  // A range or `default` is for all of them: one of each status.
  const errors = /^\d+$/.test(response.status)
    ? all
    : all.filter(({ status }, index) => all.findIndex((other) => other.status === status) === index);
  const path = contract.basePath + operation.path.replaceAll(/[{}]/g, '');
  return errors.map(({ code, status }) => {
    const { message, violations } = errorOf(served, operation, code as keyof typeof pipelineErrors);
    const facts = { code, message, status, requestId: NO_REQUEST_ID, path };
    const { body, type } = errorBodies.of(operation.id, {
      ...facts,
      ...(violations.length > 0 && { violations }),
    });
    const text = isJson(type) ? JSON.stringify(JSON.parse(body), undefined, 2) : body;
    return { code, isJson: isJson(type), text };
  });
}

/** The statuses with which the service itself sends what the contract declares for several. */
export function alsoSentText({ model }: Served, response: Response): string {
  const operation = operationOfResponse(model, response);
  if (!operation || /^\d+$/.test(response.status)) return '';
  const statuses = new Set(errorsAt(model, operation, response).map(({ status }) => status));
  return statuses.size > 0
    ? `This server sends it by itself as ${[...statuses].toSorted((a, b) => a - b).join(', ')}.`
    : '';
}

function errorsAt(model: Model, operation: Operation, response: Response): OperationError[] {
  if (successesOf(operation).includes(response)) return [];
  return errorsOf(operation, model).filter(
    ({ status }) => responseFor(operation.responses, status) === response,
  );
}

/** An error as a request gets it: one without a key, with an unknown parameter, with a body that is too large. */
function errorOf(served: Served, operation: Operation, code: keyof typeof pipelineErrors): ApiError {
  const { contract, model, takesTokens = false } = served;
  const { body } = operation;
  const schemes = schemesOf(model, takesTokens ? 'token' : 'API key');
  const alternatives = operation.security.map((all) =>
    all.flatMap(({ scheme }): Scheme[] => [schemes.get(scheme) ?? []].flat()),
  );
  switch (code) {
    case 'invalid_request':
      return rejectionOf(unknownIn(['unknown']));
    case 'unauthorized':
      return keyMissing(alternatives, contract.name);
    case 'insufficient_scope': {
      const index = operation.security.findIndex((all) => all.some(({ scopes }) => scopes.length > 0));
      const scopes = (operation.security[index] ?? []).flatMap((one) => one.scopes);
      return insufficientScope(scopes, contract.name, alternatives[index] ?? []);
    }
    case 'payload_too_large':
      return new ApiError(code, errorTexts.bodyTooLarge(body?.limit ?? JSON_LIMIT));
    case 'unsupported_media_type':
      return new ApiError(
        code,
        errorTexts.otherMediaType((body?.content ?? []).map(shownTypeOf).join(' or ')),
      );
    case 'rate_limit_exceeded':
      return new ApiError(code, limitMessage(served));
    case 'service_unavailable':
      return serviceUnavailable();
    default:
      return pipelineError(code);
  }
}

/** For an address at the end of its minute. */
function limitMessage({ contract }: Served): string {
  const account = addressAccount('', contract.anonymousQuota ?? INVALID_KEY_QUOTA);
  const now = MINUTE;
  const windows = { minuteStart: now, minuteCount: account.quota.perMinute, dayStart: now };
  return decisionOf({ ...newCounters(), ...windows }, account, now, 'refused').refusal?.message ?? '';
}

const operations = new WeakMap<Model, ReadonlyMap<Response, Operation>>();

/** The operation of a response; undefined if it is that of a webhook or callback. */
export function operationOfResponse(model: Model, response: Response): Operation | undefined {
  const known =
    operations.get(model) ??
    new Map(model.operations.flatMap((operation) => operation.responses.map((one) => [one, operation])));
  operations.set(model, known);
  return known.get(response);
}
