import { operations } from '@petstore/contract';

/** What the next request is answered with, and what the handler was given of it. */
export const echo: { answer?: unknown; operation?: string; input?: Record<string, unknown> } = {};

/** Handlers for any contract. In the copy of the workspace they stand in the place of handlers.ts. */
export function createHandlers(): Record<string, (input: Record<string, unknown>) => unknown> {
  return Object.fromEntries(
    Object.keys(operations).map((operation) => [
      operation,
      (input: Record<string, unknown>) => {
        Object.assign(echo, { operation, input });
        return echo.answer;
      },
    ]),
  );
}
