import { operations } from '@petstore/contract';

/** What the next request is answered with, and what the handler was given of it. */
export const echo: { answer?: unknown; operation?: string; input?: Record<string, unknown> } = {};

/** Handlers for any contract. */
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
