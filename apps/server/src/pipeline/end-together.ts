import type { Response } from 'express';

let ending: { readonly res: Response; readonly body: string | Buffer }[] = [];

/**
 * Ends `res`, whose head is written, together with the other replies of this turn of the event loop. Each write wakes
 * its reader, which on one machine, as behind a proxy, costs more than the rest of a short reply; of some in a row,
 * most find it awake.
 */
export function endTogether(res: Response, body: string | Buffer): void {
  if (ending.length === 0) setImmediate(endAll);
  ending.push({ res, body });
}

function endAll(): void {
  const replies = ending;
  ending = [];
  for (const { res, body } of replies) res.end(body);
}
