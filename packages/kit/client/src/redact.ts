type Redactor = (text: string) => string;

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
