/** The text without the key: who responds, or an injected `fetch` that fails, may show what was sent. */
export function redact(text: string, apiKey: string | undefined): string {
  if (!apiKey) return text;
  return text.replaceAll(apiKey, '[redacted]').replaceAll(btoa(`:${apiKey}`), '[redacted]');
}

/**
 * What an injected `fetch` threw, without what it attached, which may be the request: name, message and code, and
 * those of its causes. `depth` is there because an error may be its own cause.
 */
export function redactError(thrown: unknown, apiKey: string | undefined, depth = 4): Error | undefined {
  if (!depth || !thrown) return;
  const { name, message = thrown as string, code, cause } = thrown as Partial<Error & { code: unknown }>;
  const copy = new Error(redact(String(message), apiKey), { cause: redactError(cause, apiKey, depth - 1) });
  return Object.assign(copy, { name, code });
}
