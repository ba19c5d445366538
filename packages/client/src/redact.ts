/** Takes out of a text what opens doors: who responds, or an injected `fetch` that fails, may show what was sent. */
export type Redactor = (text: string) => string;

export function redactor(key: string | undefined, headers: Readonly<Record<string, string>>): Redactor {
  return (text) => {
    const secrets = [key];
    for (const name in headers)
      if (/auth|cookie|key|token|secret/.test(name)) secrets.push(String(headers[name]).replace(/^\w+ /, ''));
    // What is shorter than six characters is no secret but a test's, and would be taken out of words.
    for (const secret of secrets) if (secret?.[5]) text = text.replaceAll(secret, '[redacted]');
    return text;
  };
}

/** The headers with what opens doors taken out. */
export function redactHeaders(headers: Headers, hide: Redactor): Headers {
  return new Headers(
    [...(Symbol.iterator in headers ? headers : [])].map(([name, value]) => [name, hide(value)]),
  );
}

/** What a thrown value says. */
export function messageOf(thrown: unknown): string {
  const { message, code } = Object(thrown) as { message?: string; code?: string };
  return String(message || code || thrown);
}

/**
 * What an injected `fetch` threw, without what it attached, which may be the request: name, message and code, and
 * those of its causes. `depth` is there because an error may be its own cause.
 */
export function redactError(thrown: unknown, hide: Redactor, depth = 4): Error | undefined {
  if (!depth || !thrown) return;
  const { name, code, cause } = thrown as Partial<Error & { code: unknown }>;
  const copy = new Error(hide(messageOf(thrown)), { cause: redactError(cause, hide, depth - 1) });
  return Object.assign(copy, { name, code });
}
