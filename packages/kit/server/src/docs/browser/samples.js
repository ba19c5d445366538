// Code samples for a request. The server renders them with the contract's examples, the page with the values in its
// form.
import { keyText, urlWithKey, writeParameter, writePath } from '@contract-kit/core/http';

const reject = (why) => {
  throw new TypeError(why);
};

/** A parameter as its place has it; undefined if nothing is sent. Throws a TypeError if that cannot carry its value. */
export function written({ name, in: place, style, explode, value }) {
  const text = style === 'json' ? writtenText(value) : withTexts(value);
  return writeParameter({ name, in: place, style, explode }, text, scalarText, reject);
}

/** Where a request goes, without the keys that its query may carry. `write` writes a parameter. */
export function requestUrl({ base, path, parameters }, write = written) {
  const at = (place) => parameters.filter((parameter) => parameter.in === place);
  const named = new Map(at('path').map((parameter) => [parameter.name, parameter]));
  const filled = writePath(path, (name) => named.has(name) && write(named.get(name)), reject);
  const query = at('query').map(write).filter(Boolean);
  return base + filled + (query.length > 0 ? `?${query.join('&')}` : '');
}

/** The page wraps numbers in JSON.rawJSON, so that they are written as typed. */
function withTexts(value) {
  if (JSON.isRawJSON?.(value)) return value.rawJSON;
  if (Array.isArray(value)) return value.map(withTexts);
  if (Object(value) !== value) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withTexts(item)]));
}

function scalarText(value) {
  return Object(value) === value ? undefined : String(value ?? '');
}

/** A field of a form. */
export function writtenText(value) {
  return Object(value) === value ? JSON.stringify(value) : String(value ?? '');
}

/** A form in a URL as text, in which the delimiters of a style are not encoded; undefined if no field has a style. */
export function styledForm(parameters) {
  const fields = parameters.filter((parameter) => parameter.in === 'form');
  if (!fields.some(({ style }) => style)) return undefined;
  const texts = fields.map(({ value, ...field }) =>
    written({ ...field, in: 'query', value: field.style ? value : [value].flat().map(writtenText) }),
  );
  return texts.filter(Boolean).join('&');
}

/** The result of `write`. An example that cannot be sent is left out. */
const orNot = (write) => (value) => {
  try {
    return write(value);
  } catch {
    return undefined;
  }
};
const writtenOrNot = orNot(written);

/** With the names of the parameters in the path, if an example cannot be sent there. */
function sampleUrl(request) {
  try {
    return requestUrl(request, writtenOrNot);
  } catch {
    return requestUrl({ ...request, path: request.path.replace(/[{}]/g, '') }, writtenOrNot);
  }
}

/**
 * Samples of the languages that can send the request. `names` are the variable of the key, and those of the client if it is
 * published.
 */
export function samplesFor(request, names) {
  const { parameters, bodyKind, bodyType, body, credentials } = request;
  const at = (place) => parameters.filter((parameter) => parameter.in === place);
  const cookies = at('cookie').map(writtenOrNot).filter(Boolean);
  const isMultipart = bodyType === 'multipart/form-data';
  const keyNames = credentials.filter((credential) => credential.in === 'cookie').map(({ name }) => name);
  const whole = {
    ...request,
    credentials: [...credentials, ...(keyNames.length > 0 ? [cookieHeader(cookies, keyNames)] : [])],
    url: sampleUrl(request),
    text: bodyKind === 'json' ? JSON.stringify(body) : body,
    isMultipart,
    fields: at('form').flatMap(({ name, value, isFile, fileType }) =>
      [value].flat().map((item) => ({ name, value: writtenText(item), isFile, fileType })),
    ),
    headers: [
      ...at('header').flatMap((parameter) => {
        const text = writtenOrNot(parameter);
        return text === undefined ? [] : [[parameter.name, text]];
      }),
      ...(cookies.length > 0 && keyNames.length === 0 ? [['Cookie', cookies.join('; ')]] : []),
      ...(body === undefined || bodyKind === 'form' ? [] : [['Content-Type', bodyType]]),
    ],
  };
  const form = orNot(styledForm)(parameters);
  const headers = [...whole.headers, ['Content-Type', bodyType]];
  const sent = form === undefined ? whole : { ...whole, headers, bodyKind: 'text', text: form, fields: [] };
  return [
    { lang: 'shell', label: 'curl', source: curl(sent, names) },
    {
      lang: 'typescript',
      label: 'TypeScript',
      source: names.package ? client(whole, names) : fetching(sent, names),
    },
    // Python's standard library has no multipart forms.
    ...(isMultipart ? [] : [{ lang: 'python', label: 'Python', source: python(sent, names) }]),
  ];
}

/** The quoted address, in other quotes if it includes keys. */
function quotedUrl({ url, credentials }, plain, [open, key, close]) {
  const inQuery = credentials.filter((credential) => credential.in === 'query');
  if (inQuery.length === 0) return plain(url);
  const safe = url.replace(/["$'`\\]/g, (sign) => `%${sign.charCodeAt().toString(16)}`);
  // The key is code, which is not encoded.
  return open + inQuery.reduce((whole, { name }) => urlWithKey(whole, name, '') + key, safe) + close;
}

const inHeaders = ({ credentials }) => credentials.filter((credential) => credential.in === 'header');

/** All cookies as one header. The key follows each of its `parts`. */
function cookieHeader(cookies, keyNames) {
  const parts = keyNames.map((name, index) => `${[...(index > 0 ? [''] : cookies), name].join('; ')}=`);
  return { in: 'header', name: 'Cookie', prefix: '', parts };
}

/** The text of a header with a key that is code; `escape` is for the rest. */
function textWithKey({ prefix, parts }, key, escape) {
  return parts ? parts.map((part) => escape(part) + key).join('') : keyText(prefix, key);
}

function curl(request, { keyVariable }) {
  const { method, bodyKind, text, fields, isMultipart, headers } = request;
  const quoted = (value) => `'${value.replaceAll("'", `'\\''`)}'`;
  const url = quotedUrl(request, quoted, ['"', `$${keyVariable}`, '"']);
  const escape = (value) => value.replace(/["$`\\]/g, '\\$&');
  const keys = inHeaders(request).map((credential) =>
    credential.prefix === 'Basic'
      ? `--user ":$${keyVariable}"`
      : `--header "${credential.name}: ${textWithKey(credential, `$${keyVariable}`, escape)}"`,
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

/** Without the client, for a service that did not publish it. */
function fetching(request, { keyVariable }) {
  const { method, bodyKind, text, fields, isMultipart, headers, answersJson } = request;
  const key = `\${process.env.${keyVariable}}`;
  const url = quotedUrl(request, literal, ['`', key, '`']);
  const escape = (value) => value.replace(/[`$\\]/g, '\\$&');
  const keys = inHeaders(request).map((credential) => {
    const { name, prefix } = credential;
    const value = prefix === 'Basic' ? `Basic \${btoa(\`:${key}\`)}` : textWithKey(credential, key, escape);
    return [name, new Code(`\`${value}\``)];
  });
  const sent = [...keys, ...headers];
  const isFile = fields.some((field) => field.isFile) || bodyKind === 'bytes';
  const append = ({ name, value, isFile, fileType }) => {
    const type = fileType ? `, { type: ${literal(fileType)} }` : '';
    const content = isFile ? `await openAsBlob(${literal(value)}${type}), ${literal(value)}` : literal(value);
    return `form.append(${literal(name)}, ${content});\n`;
  };
  const form = isMultipart ? `const form = new FormData();\n${fields.map(append).join('')}` : '';
  const bodies = {
    // As text if a number in it would be rounded.
    json: () => (exact(text) ? `JSON.stringify(${literal(JSON.parse(text), '  ')})` : literal(text)),
    text: () => literal(text),
    bytes: () => blobOf(text).text,
    form: () =>
      isMultipart
        ? 'form'
        : `new URLSearchParams(${literal(
            fields.map(({ name, value }) => [name, value]),
            '  ',
          )})`,
  };
  const options = {
    ...(method === 'GET' ? {} : { method }),
    ...(sent.length > 0 && { headers: Object.fromEntries(sent) }),
    ...((text !== undefined || fields.length > 0) && { body: new Code(bodies[bodyKind]()) }),
  };
  const args = Object.keys(options).length > 0 ? `${url}, ${literal(options)}` : url;
  return `${isFile ? "import { openAsBlob } from 'node:fs';\n\n" : ''}${form}const response = await fetch(${args});
if (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`);
console.log(response.status${answersJson ? ', await response.json()' : ''});`;
}

/** Whether parsing a JSON text changes no number in it. */
const exact = (text) => JSON.stringify(JSON.parse(text)) === text;

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
  const valueOf = ({ prefix, parts }) =>
    parts ? parts.map((part) => `${quoted(part)} + ${key}`).join(' + ') : values[prefix];
  const keys = inHeaders(request).map((credential) => `${quoted(credential.name)}: ${valueOf(credential)}`);
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
