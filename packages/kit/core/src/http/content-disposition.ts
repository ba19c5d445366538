/* The name of a file, in the header of the message that has it as its body. */

/** The name in ASCII, and exactly (RFC 6266 §4.3, RFC 8187 §3.2.1). Browsers never run what they save. */
export function attachment(name: string): string {
  const plain = name.replaceAll(/[^ -~]|["\\%]/g, '_');
  const exact = encodeURIComponent(name.replaceAll(/\p{Surrogate}/gu, '_')).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${exact}`}`;
}

/** The name in a Content-Disposition; '' if there is none (RFC 6266 §4.3). */
export function nameOfFile(disposition: string): string {
  const [, exact] = /;\s*filename\*\s*=\s*([^;\s]*)/i.exec(disposition) ?? [];
  const [, quoted, token = ''] =
    /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/i.exec(disposition) ?? [];
  return nameWithoutFolder(quoted?.replaceAll(/\\(.)/g, '$1') ?? token, exact);
}

/** The name of a file from `filename` and, if it can be read, from `filename*` (RFC 8187 §3.2.1). */
export function nameWithoutFolder(plain: string, exact = ''): string {
  let name = plain;
  try {
    const [, encoded] = /^UTF-8'[^']*'(.*)$/is.exec(exact) ?? [];
    if (encoded !== undefined) name = decodeURIComponent(encoded);
  } catch {
    // The other name is there for readers that cannot read this one.
  }
  // A path is of the sender's machine (RFC 6266 §4.3).
  return name.replace(/^.*[/\\]/s, '').replace(/^\.\.?$/, '');
}
