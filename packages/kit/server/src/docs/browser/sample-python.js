import { inHeaders, quoted, quotedUrl } from './sample-source.js';

/** With the standard library alone. */
export function python(request, { keyVariable }) {
  const { method, headers, bodyKind, text, fields, isMultipart } = request;
  const key = `os.environ['${keyVariable}']`;
  const url = quotedUrl(request, quoted, ["f'", `{os.environ["${keyVariable}"]}`, "'"]);
  const values = {
    Bearer: `'Bearer ' + ${key}`,
    Basic: `'Basic ' + b64encode((':' + ${key}).encode()).decode()`,
    '': key,
  };
  const valueOf = ({ prefix, parts }) =>
    parts ? parts.map((part) => `${quoted(part)} + ${key}`).join(' + ') : values[prefix];
  const heads = [
    ...inHeaders(request).map((credential) => [credential.name, valueOf(credential)]),
    ...headers.map(([name, value]) => [name, quoted(value)]),
    ...(isMultipart ? [['Content-Type', "'multipart/form-data; boundary=' + boundary"]] : []),
  ].map(([name, value]) => `${quoted(name)}: ${value}`);
  const pairs = fields.map(({ name, value }) => `\n        (${quoted(name)}, ${quoted(value)}),`).join('');
  const data = isMultipart
    ? 'body'
    : text === undefined
      ? pairs && `urlencode([${pairs}\n    ]).encode()`
      : bodyKind === 'bytes'
        ? readFile(text)
        : `${quoted(text)}.encode()`;
  const args = [
    url,
    ...(method === 'GET' ? [] : [`method=${quoted(method)}`]),
    ...(heads.length > 0 ? [`headers={\n        ${heads.join(',\n        ')},\n    }`] : []),
    ...(data ? [`data=${data}`] : []),
  ].join(',\n    ');
  const imports = [
    ...(args.includes('os.environ') ? ['import os'] : []),
    ...(args.includes('b64encode(') ? ['from base64 import b64encode'] : []),
    'from urllib.error import HTTPError',
    ...(args.includes('urlencode(') ? ['from urllib.parse import urlencode'] : []),
    'from urllib.request import Request, urlopen',
    ...(isMultipart ? ['from uuid import uuid4'] : []),
  ];
  return `${imports.join('\n')}

${isMultipart ? multipart(fields) : ''}request = Request(
    ${args},
)
try:
    with urlopen(request) as response:
${indented(use(request))}
except HTTPError as error:
    raise SystemExit(f'{error.status} {error.read().decode()}')`;
}

const readFile = (file) => `open(${quoted(file)}, 'rb').read()`;

const indented = (code) => code.replace(/^/gm, '        ');

/** What is done with the response. */
function use({ result, file }) {
  const uses = {
    bytes: `with open(${quoted(file ?? '')}, 'wb') as file:
    file.write(response.read())`,
    events: `data = []
for line in response:
    text = line.decode().rstrip('\\r\\n')
    if text.startswith('data:'):
        data.append(text[5:].removeprefix(' '))
    elif text == '' and data:
        print('\\n'.join(data), flush=True)
        data = []`,
    // It also strips the separator of a JSON sequence.
    lines: `for line in response:
    if line.decode().strip():
        print(line.decode().strip(), flush=True)`,
    none: 'print(response.status)',
  };
  return uses[result] ?? 'print(response.read().decode())';
}

/** A form with files (RFC 7578), which the standard library does not write. */
function multipart(fields) {
  const parts = fields.map(({ name, value, isFile, fileType = 'application/octet-stream' }) => {
    const text = (value) => value.replace(/["\r\n]/g, encodeURIComponent);
    const head = `name="${text(name)}"`;
    return isFile
      ? `    (${quoted(`${head}; filename="${text(value)}"\r\nContent-Type: ${fileType}`)}, ${readFile(value)}),\n`
      : `    (${quoted(head)}, ${quoted(value)}.encode()),\n`;
  });
  return `boundary = uuid4().hex
parts = [
${parts.join('')}]
body = b''.join(
    f'--{boundary}\\r\\nContent-Disposition: form-data; {head}\\r\\n\\r\\n'.encode() + content + b'\\r\\n'
    for head, content in parts
) + f'--{boundary}--\\r\\n'.encode()
`;
}
