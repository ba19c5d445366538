import type { Response } from 'express';

let ending: { readonly res: Response; readonly body: string | Buffer }[] = [];

/**
 * Ends `res`, whose head is written, together with the other responses of this turn of the event loop. Each write wakes
 * its reader; most readers of several writes in a row are still awake.
 */
export function endTogether(res: Response, body: string | Buffer): void {
  if (ending.length === 0) setImmediate(endAll);
  ending.push({ res, body });
}

function endAll(): void {
  const responses = ending;
  ending = [];
  for (const { res, body } of responses) res.end(body);
}
