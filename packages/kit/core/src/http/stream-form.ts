/** What a program gets for a response whose items the contract describes, as they arrive: events, or values on lines. */
export type StreamKind = 'events' | 'lines';

/** How the items of a stream are written. */
export interface StreamForm {
  readonly kind: StreamKind;
  /** What a line, or the data of an event, is. */
  readonly data: 'json' | 'text';
  /** The names of the events whose data is the other one. */
  readonly others?: readonly string[];
}

/** How the data of an event is written. An event without a name is a `message` (WHATWG HTML §9.2.6). */
export function dataFormOf({ data, others = [] }: StreamForm, event = 'message'): StreamForm['data'] {
  if (!others.includes(event)) return data;
  return data === 'json' ? 'text' : 'json';
}
