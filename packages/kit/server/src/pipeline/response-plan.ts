import { essenceOf, isText, typeInRange, type StreamForm } from '@contract-kit/core/http';
import { isInJson, responseFor, type MediaType, type Operation } from '@contract-kit/core/model';
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

export function responsePlan({ method, responses }: Operation, status: number): ResponsePlan {
  const { media, content = [], headers = [] } = responseFor(responses, status) ?? {};
  const others = content.filter((other) => other !== media).map(({ type }) => type);
  const forms = content.flatMap(({ type, form }) => (form ? [[essenceOf(type), form] as const] : []));
  return {
    types: [media ? sentType(media) : JSON_TYPE, ...others],
    hasChoice: others.length > 0,
    contentType: media ? contentTypeOf(media) : JSON_IN_UTF8,
    isValue: media === undefined || media.kind === 'json',
    jsonHeaders: headers.filter(isInJson).map(({ name }) => name),
    // A response to HEAD has no items (RFC 9110 §9.3.2).
    streams: forms.length > 0 && method !== 'HEAD' ? Object.fromEntries(forms) : undefined,
  };
}

/** A range that JSON is in stands for JSON. */
function sentType({ kind, type }: MediaType): string {
  return kind === 'json' && type.includes('*') ? JSON_TYPE : type;
}

function contentTypeOf(media: MediaType): string {
  const type = sentType(media);
  if (media.kind === 'json') return type === JSON_TYPE ? JSON_IN_UTF8 : type;
  // A range of media types says how the body is written, and not what it is.
  const named = typeInRange(type);
  return isText(named) && !named.includes(';') ? `${named}; charset=utf-8` : named;
}
