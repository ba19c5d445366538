/* The parameters of a header, such as those of `Content-Type` and `Content-Disposition`. */

/** A parameter, or none, after a semicolon (RFC 9110 §5.6.6). Sticky, so that it takes linear time. */
const PARAMETER = /\s*;\s*(?:([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;]*)))?/gsy;

/**
 * The parameters of `header` by their names in lower case. Undefined if they cannot be read, or if one is there twice.
 * In quotes, a backslash escapes only itself and a quote: browsers write a path of Windows as it is.
 */
export function parametersIn(header: string): Map<string, string> | undefined {
  const start = header.indexOf(';');
  const text = start === -1 ? '' : header.slice(start).trimEnd();
  const parameters = new Map<string, string>();
  let end = 0;
  for (const [all, name, quoted, plain = ''] of text.matchAll(PARAMETER)) {
    end += all.length;
    if (name === undefined) continue;
    if (parameters.has(name.toLowerCase())) return undefined;
    parameters.set(name.toLowerCase(), quoted?.replaceAll(/\\(["\\])/g, '$1') ?? plain);
  }
  return end === text.length ? parameters : undefined;
}
