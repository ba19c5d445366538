import type { Operation } from '@contract-kit/core';
import { entryOf, isJson, isText, typeInRange } from '@contract-kit/core/media-type';
import type { StreamForm } from '@contract-kit/core/stream-form';
import { JSON_IN_UTF8, JSON_TYPE } from '../http/headers.ts';

/** How responses with one status are written. It is decided once for each status of an operation. */
export interface ResponsePlan {
  /** The media types in the contract, the preferred one first. */
  readonly types: readonly string[];
  /** Whether `Accept` chooses among them. */
  readonly hasChoice: boolean;
  /** Sent unless the handler or `Accept` chooses another. */
  readonly contentType: string;
  /** Whether a body of `contentType` is a JSON value; otherwise text is sent as it is. */
  readonly isValue: boolean;
  /** The headers that are JSON texts of their values. */
  readonly jsonHeaders: readonly string[];
  /** How items are written, by media type without parameters; undefined if no response is a stream. */
  readonly streams: Readonly<Record<string, StreamForm>> | undefined;
}

/** Outside the operations of the contract. */
export const JSON_PLAN: ResponsePlan = {
  types: [],
  hasChoice: false,
  contentType: JSON_IN_UTF8,
  isValue: true,
  jsonHeaders: [],
  streams: undefined,
};

export function responsePlan(operation: Operation, status: number): ResponsePlan {
  const { jsonHeaders = {}, jsonTypes = {}, otherTypes = {}, responseTypes, streams = {} } = operation;
  const first = entryOf(responseTypes, status) ?? '';
  const preferred = first.includes('/') ? first : (entryOf(jsonTypes, status) ?? JSON_TYPE);
  const others = entryOf(otherTypes, status) ?? [];
  const otherThanJson = typeOfOther(operation, status);
  return {
    types: [preferred, ...others],
    hasChoice: others.length > 0,
    contentType: otherThanJson ?? entryOf(jsonTypes, status) ?? JSON_IN_UTF8,
    isValue: otherThanJson === undefined,
    jsonHeaders: entryOf(jsonHeaders, status) ?? [],
    streams: entryOf(streams, status),
  };
}

/** The Content-Type of a response that is not JSON. */
function typeOfOther(
  { method, responseTypes, jsonTypes = {} }: Operation,
  status: number,
): string | undefined {
  // The client reads no body of HEAD.
  const body = entryOf(status < 400 && method !== 'HEAD' ? responseTypes : jsonTypes, status);
  if (!body?.includes('/') || (isJson(body) && !body.includes('*'))) return undefined;
  // A range of media types says how the body is written, and not what it is.
  const type = typeInRange(body, isText(body) ? 'plain' : 'octet-stream');
  return isText(type) && !type.includes(';') ? `${type}; charset=utf-8` : type;
}
