// Code samples for a request. The server renders them with the contract's examples, the page with the values in its
// form.

/** Where a request goes, without the keys that its query may carry. */
export function requestUrl({ base, path, parameters }) {
  const at = (place) => parameters.filter((parameter) => parameter.in === place);
  const filled = at('path').reduce(
    (text, parameter) => text.replace(`{${parameter.name}}`, () => pathText(parameter)),
    path,
  );
  const query = at('query').flatMap(queryTexts);
  return base + filled + (query.length > 0 ? `?${query.join('&')}` : '');
}

function pathText(parameter) {
  const { name, style, explode } = parameter;
  const before = { label: '.', matrix: `;${name}=` }[style] ?? '';
  return before + partsOf(parameter, encoded).join((explode && before) || ',');
}

function queryTexts(parameter) {
  const { name, value, style, explode } = parameter;
  const named = (key, text) => `${encoded(key)}=${text}`;
  if (style === 'deepObject' && Object(value) === value) return nestedTexts(name, value);
  if (explode && isRecord(value) && style !== 'json')
    return Object.entries(value).flatMap(([key, value]) =>
      [value].flat().map((item) => named(key, encoded(item))),
    );
  const parts = partsOf(parameter, encoded);
  const between = { pipeDelimited: '%7C', spaceDelimited: '%20' }[style] ?? ',';
  if (!explode || style === 'json') return [named(name, parts.join(between))];
  return isRecord(value) ? parts : parts.map((text) => named(name, text));
}

/** `name[a][b]=c`; the objects of a list have their indexes. */
function nestedTexts(prefix, value) {
  return Object.entries(value).flatMap(([key, item]) => {
    const isNested = Array.isArray(item) || isRecord(item);
    const place = `${prefix}[${Array.isArray(value) && !isNested ? '' : key}]`;
    return isNested ? nestedTexts(place, item) : [`${encoded(place)}=${encoded(item)}`];
  });
}

/** The style cookie encodes nothing, and writes items and fields as cookies (OpenAPI 3.2 §4.12.3). */
function cookieTexts(parameter) {
  const { name, value, style, explode } = parameter;
  const parts = partsOf(parameter, style === 'cookie' ? writtenText : encoded);
  if (style !== 'cookie' || !explode) return [`${name}=${parts.join(',')}`];
  return isRecord(value) ? parts : parts.map((text) => `${name}=${text}`);
}

/** The texts of a value: one for each item of a list or field of an object (OpenAPI 3.1 §4.8.12.2). */
function partsOf({ value, style, explode }, write) {
  if (Array.isArray(value)) return value.map(write);
  if (!isRecord(value) || style === 'json') return [write(value)];
  const fields = Object.entries(value).map((pair) => pair.map(write));
  return explode ? fields.map((pair) => pair.join('=')) : fields.flat();
}

const encoded = (value) => encodeURIComponent(writtenText(value));

function isRecord(value) {
  return Object(value) === value && !Array.isArray(value) && !JSON.isRawJSON?.(value);
}

/** The page wraps numbers in JSON.rawJSON, so that they are written as typed. */
function writtenText(value) {
  return Object(value) === value ? JSON.stringify(value) : String(value ?? '');
}

/** Samples of the languages that can send the request. `names` are those of the client, and the variable of the key. */
export function samplesFor(request, names) {
  const { parameters, bodyKind, bodyType, body } = request;
  const at = (place) => parameters.filter((parameter) => parameter.in === place);
  const cookies = at('cookie').flatMap(cookieTexts);
  const isMultipart = bodyType === 'multipart/form-data';
  const whole = {
    ...request,
    url: requestUrl(request),
    text: bodyKind === 'json' ? JSON.stringify(body) : body,
    isMultipart,
    fields: at('form').flatMap(({ name, value, isFile, fileType }) =>
      [value].flat().map((item) => ({ name, value: writtenText(item), isFile, fileType })),
    ),
    headers: [
      ...at('header').map((parameter) => [parameter.name, partsOf(parameter, writtenText).join(',')]),
      ...(cookies.length > 0 ? [['Cookie', cookies.join('; ')]] : []),
      ...(body === undefined || bodyKind === 'form' ? [] : [['Content-Type', bodyType]]),
    ],
  };
  return [
    { lang: 'shell', label: 'curl', source: curl(whole, names) },
    { lang: 'typescript', label: 'TypeScript', source: client(whole, names) },
    // Python's standard library has no multipart forms.
    ...(isMultipart ? [] : [{ lang: 'python', label: 'Python', source: python(whole, names) }]),
  ];
}

/** The quoted address, in other quotes if it includes keys. */
function quotedUrl({ url, credentials }, plain, [open, key, close]) {
  const keys = credentials
    .filter((credential) => credential.in === 'query')
    .map(({ name }) => `${encoded(name)}=${key}`);
  if (keys.length === 0) return plain(url);
  const safe = url.replace(/["$'`\\]/g, (sign) => `%${sign.charCodeAt().toString(16)}`);
  return `${open}${safe}${url.includes('?') ? '&' : '?'}${keys.join('&')}${close}`;
}

const inHeaders = ({ credentials }) => credentials.filter((credential) => credential.in === 'header');

function curl(request, { keyVariable }) {
  const { method, bodyKind, text, fields, isMultipart, headers } = request;
  const quoted = (value) => `'${value.replaceAll("'", `'\\''`)}'`;
  const url = quotedUrl(request, quoted, ['"', `$${keyVariable}`, '"']);
  const keys = inHeaders(request).map(({ name, prefix }) =>
    prefix === 'Basic'
      ? `--user ":$${keyVariable}"`
      : `--header "${name}: ${prefix && `${prefix} `}$${keyVariable}"`,
  );
  const data = {
    json: () => `--data ${quoted(text)}`,
    text: () => `--data-binary ${quoted(text)}`,
    bytes: () => `--data-binary ${quoted(`@${text}`)}`,
  }[bodyKind];
  const verb = method === 'HEAD' ? '--head' : `--request ${method}`;
  return [
    ...(method === 'GET' ? [`curl ${url}`] : [`curl ${verb}`, url]),
    ...keys,
    ...headers.map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    ...fields.map(({ name, value, isFile, fileType }) => {
      const field = quoted(`${name}=${isFile ? '@' : ''}${value}${fileType ? `;type=${fileType}` : ''}`);
      return isMultipart ? `--form ${field}` : `--data-urlencode ${field}`;
    }),
    ...(text === undefined ? [] : [data()]),
  ].join(' \\\n  ');
}

/** An expression among plain data. */
class Code {
  constructor(text) {
    this.text = text;
  }
}

const blobOf = (file) => new Code(`await openAsBlob(${literal(file)})`);

/** The body as the client takes it. */
function bodyForClient({ parameters, bodyKind, body }) {
  if (bodyKind === 'bytes') return blobOf(body);
  if (bodyKind !== 'form') return body;
  const fields = parameters.filter((parameter) => parameter.in === 'form');
  return Object.fromEntries(
    fields.map(({ name, value, isFile, isList }) => {
      const content = isFile ? blobOf(value) : value;
      return [name, isFile && isList ? [content] : content];
    }),
  );
}

function client(request, names) {
  const { id, base, parameters, isFlat, answersJson } = request;
  const { package: packageName, factory, variable, defaultBase } = names;
  const values = parameters
    .filter((parameter) => parameter.in !== 'form')
    .map(({ name, input = name, value }) => [input, value]);
  const body = bodyForClient(request);
  const input = { ...Object.fromEntries(values), ...(body === undefined ? {} : isFlat ? body : { body }) };
  const call = `await ${variable}.${id}(${Object.keys(input).length > 0 ? literal(input, '  ') : ''})`;
  const files = call.includes('await openAsBlob(') ? "import { openAsBlob } from 'node:fs';\n" : '';
  return `${files}import { ApiError, ${factory} } from '${packageName}';

const ${variable} = ${factory}(${base === defaultBase ? '' : literal({ baseUrl: base })});

try {
  ${answersJson ? `console.log(${call});` : `${call};`}
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.error(error.status, error.code, error.message);
}`;
}

function python(request, { keyVariable }) {
  const { method, headers, bodyKind, text, fields, answersJson } = request;
  const quoted = (value) =>
    `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
  const key = `os.environ['${keyVariable}']`;
  const url = quotedUrl(request, quoted, ["f'", `{os.environ["${keyVariable}"]}`, "'"]);
  const values = {
    Bearer: `'Bearer ' + ${key}`,
    Basic: `'Basic ' + b64encode((':' + ${key}).encode()).decode()`,
    '': key,
  };
  const keys = inHeaders(request).map(({ name, prefix }) => `${quoted(name)}: ${values[prefix]}`);
  const heads = [...keys, ...headers.map(([name, value]) => `${quoted(name)}: ${quoted(value)}`)];
  const pairs = fields.map(({ name, value }) => `(${quoted(name)}, ${quoted(value)})`).join(', ');
  const data = bodyKind === 'bytes' ? `open('${text}', 'rb').read()` : `${quoted(text ?? '')}.encode()`;
  const args = [
    url,
    ...(method === 'GET' ? [] : [`method=${quoted(method)}`]),
    ...(heads.length > 0 ? [`headers={\n        ${heads.join(',\n        ')},\n    }`] : []),
    ...(text === undefined ? [] : [`data=${data}`]),
    ...(pairs && [`data=urlencode([${pairs}]).encode()`]),
  ].join(',\n    ');
  const imports = [
    ...(answersJson ? ['import json'] : []),
    ...(args.includes('os.environ') ? ['import os'] : []),
    ...(args.includes('b64encode(') ? ['from base64 import b64encode'] : []),
    'from urllib.error import HTTPError',
    ...(pairs && ['from urllib.parse import urlencode']),
    'from urllib.request import Request, urlopen',
  ];
  return `${imports.join('\n')}

request = Request(
    ${args},
)
try:
    with urlopen(request) as response:
        print(response.status${answersJson ? ', json.load(response)' : ''})
except HTTPError as error:
    raise SystemExit(f'{error.status} {error.read().decode()}')`;
}

/** Plain data as JavaScript source, in one line if it is short. */
function literal(value, indent = '') {
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (value === null || typeof value !== 'object') return String(value);
  if (value instanceof Code) return value.text;
  // A number as typed, which the page wraps in JSON.rawJSON.
  if (JSON.isRawJSON?.(value)) return value.rawJSON;
  const isList = Array.isArray(value);
  const inner = `${indent}  `;
  const parts = Object.entries(value).map(([name, value]) => {
    const text = literal(value, inner);
    return isList ? text : `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)}: ${text}`;
  });
  const [open, close] = isList ? '[]' : '{}';
  const line = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  if (parts.length === 0) return open + close;
  if (line.length + indent.length <= 70 && !line.includes('\n')) return line;
  return `${open}\n${inner}${parts.join(`,\n${inner}`)},\n${indent}${close}`;
}
