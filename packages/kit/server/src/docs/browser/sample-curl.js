import { inHeaders, quotedUrl, textWithKey } from './sample-source.js';

export function curl(request, { keyVariable }) {
  const { method, bodyKind, text, fields, isMultipart, headers, result, file } = request;
  const url = quotedUrl(request, quoted, ['"', `$${keyVariable}`, '"']);
  const escape = (value) => value.replace(/["$`\\]/g, '\\$&');
  const keys = inHeaders(request).map((credential) =>
    credential.prefix === 'Basic'
      ? `--user ":$${keyVariable}"`
      : `--header "${credential.name}: ${textWithKey(credential, `$${keyVariable}`, escape)}"`,
  );
  const data = {
    json: () => `--data ${quoted(text)}`,
    // A text may begin with @, which would be a file.
    text: () => `--data-raw ${quoted(text)}`,
    bytes: () => `--data-binary ${quoted(`@${text}`)}`,
  }[bodyKind];
  const verb = method === 'HEAD' ? '--head' : `--request ${method}`;
  return [
    ...(method === 'GET' ? [`curl ${url}`] : [`curl ${verb}`, url]),
    ...keys,
    // curl leaves out a header that is empty after a colon.
    ...headers.map(([name, value]) => `--header ${quoted(value ? `${name}: ${value}` : `${name};`)}`),
    ...fields.map(isMultipart ? part : urlField),
    ...(text === undefined ? [] : [data()]),
    ...(/events|lines/.test(result) ? ['--no-buffer'] : []),
    // The file is for what was asked for, and not for an error.
    ...(result === 'bytes' ? ['--fail', `--output ${quoted(file)}`] : ['--fail-with-body']),
  ].join(' \\\n  ');
}

const quoted = (value) => `'${value.replaceAll("'", `'\\''`)}'`;

/** curl encodes only the value. */
const urlField = ({ name, value }) =>
  `--data-urlencode ${quoted(`${/[^\w.[\]-]/.test(name) ? encodeURIComponent(name) : name}=${value}`)}`;

function part({ name, value, isFile, fileType }) {
  if (!isFile) return `--form-string ${quoted(`${name}=${value}`)}`;
  const path = /[",;\\]/.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : value;
  return `--form ${quoted(`${name}=@${path}${fileType ? `;type=${fileType}` : ''}`)}`;
}
