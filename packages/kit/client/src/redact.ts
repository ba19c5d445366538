/** Takes secrets out of a text: a server, or an injected `fetch` that fails, may show what was sent. */
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

/** The headers without secrets. */
export function redactHeaders(headers: Headers, hide: Redactor): Headers {
  return new Headers([...headers].map(([name, value]) => [name, hide(value)]));
}

/** What a thrown value says. */
export function messageOf(thrown: unknown): string {
  const { message, code } = Object(thrown) as { message?: string; code?: string };
  return String(message || code || thrown);
}

interface Thrown extends Error {
  readonly code?: string | undefined;
  readonly errors?: readonly unknown[];
}

/** Name, message and code of what `fetch` threw and of its causes; `depth` ends where one is its own cause. */
export function redactError(thrown: unknown, hide: Redactor, depth = 9): Thrown {
  const { name, code, cause, errors } = Object(thrown) as Thrown;
  // One for each address of a host, all in vain.
  const next = (errors?.[0] ?? cause) as Partial<Thrown> | undefined;
  // What says nothing, such as the Response that msw fails with, is no reason.
  const says = next?.message || next?.code;
  const options = says && depth ? { cause: redactError(next, hide, depth - 1) } : undefined;
  return Object.assign(new Error(hide(messageOf(thrown)), options), { name, code });
}
