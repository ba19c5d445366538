/** Expects the Error object and the headers of every error under the base path. */
export function expectErrorOf({ document }: { readonly document: Readonly<Record<string, unknown>> }) {
  const codes = document['x-error-codes'] as Readonly<Record<string, { readonly status: number }>>;
  return async (response: Response, code: string): Promise<void> => {
    const status = codes[code]?.status;
    expect(await response.json()).toEqual({ code, message: expect.any(String) as string, status });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expectCommonHeaders(response.headers);
    expect(Object.values(rateLimitIn(response.headers))).not.toContain(undefined);
  };
}

/** Expects the headers of every response, inside and outside the API. */
export function expectCommonHeaders(headers: Headers): void {
  expect(headers.get('x-request-id')).toMatch(/^\S{1,128}$/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.has('x-powered-by')).toBe(false);
}

/** The three X-RateLimit headers as numbers; undefined if absent or not a whole number. */
export function rateLimitIn(headers: Headers): Record<'limit' | 'remaining' | 'reset', number | undefined> {
  const number = (name: string) => {
    const text = headers.get(name) ?? '';
    return /^\d+$/.test(text) ? Number(text) : undefined;
  };
  return {
    limit: number('x-ratelimit-limit'),
    remaining: number('x-ratelimit-remaining'),
    reset: number('x-ratelimit-reset'),
  };
}
