import type { IncomingMessage } from 'node:http';

/** When a request arrived, and what was decided about it before any stage saw it. */
export interface Arrival {
  /** `performance.now()`, in milliseconds. */
  readonly at: number;
  /** It is one too many, and is to be refused. */
  readonly isShed: boolean;
}

type WithArrival = IncomingMessage & { arrival?: Arrival };

export function arrivalOf(req: IncomingMessage): Arrival | undefined {
  return (req as WithArrival).arrival;
}

export function noteArrival(req: IncomingMessage, arrival: Arrival): void {
  (req as WithArrival).arrival = arrival;
}
