// What can be pasted to send a request. The server renders it with the contract's examples, and the page with what was
// typed into the form beside it: both from here.

/** Where a request goes. A parameter is `{ name, in, value, explode }`. */
export function requestUrl({ base, path, parameters }) {
  const at = (place) => parameters.filter((each) => each.in === place);
  const filled = at('path').reduce(
    (text, { name, value }) => text.replace(`{${name}}`, () => encodeURIComponent(String(value))),
    path,
  );
  const query = at('query').flatMap(({ name, value, explode }) => {
    const parts = [value].flat().map((each) => encodeURIComponent(String(each)));
    const values = explode === false ? [parts.join(',')] : parts;
    return values.map((each) => `${encodeURIComponent(name)}=${each}`);
  });
  return base + filled + (query.length > 0 ? `?${query.join('&')}` : '');
}

/** A sample for each label. `names` are those of the client, and the variable that holds the key. */
export function sampleSources(request, names) {
  const given = request.parameters.filter((each) => each.in === 'header');
  const whole = {
    ...request,
    url: requestUrl(request),
    headers: [
      ...given.map(({ name, value }) => [name, String(value)]),
      ...(request.body === undefined ? [] : [['Content-Type', 'application/json']]),
    ],
  };
  return {
    curl: curl(whole, names),
    TypeScript: client(whole, names),
    fetch: fetched(whole, names),
    Python: python(whole, names),
  };
}

function curl({ method, url, credentials, headers, body }, { keyVariable }) {
  const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
  const keys = credentials.map(({ header, prefix }) =>
    prefix === 'Basic'
      ? `--user ":$${keyVariable}"`
      : `--header "${header}: ${prefix && `${prefix} `}$${keyVariable}"`,
  );
  return [
    ...(method === 'GET' ? [`curl ${quoted(url)}`] : [`curl --request ${method}`, quoted(url)]),
    ...keys,
    ...headers.map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data ${quoted(JSON.stringify(body))}`]),
  ].join(' \\\n  ');
}

function client({ id, base, parameters, body, isFlat, answersJson }, names) {
  const { package: packageName, factory, variable, defaultBase } = names;
  const values = Object.fromEntries(parameters.map(({ name, value }) => [name, value]));
  const input = { ...values, ...(body === undefined ? {} : isFlat ? body : { body }) };
  const call = `await ${variable}.${id}(${Object.keys(input).length > 0 ? literal(input, '  ') : ''})`;
  return `import { ApiError, ${factory} } from '${packageName}';

const ${variable} = ${factory}(${base === defaultBase ? '' : literal({ baseUrl: base })});

try {
  ${answersJson ? `console.log(${call});` : `${call};`}
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.error(error.status, error.code, error.message);
}`;
}

function fetched({ method, url, credentials, headers, body, answersJson }, { keyVariable }) {
  const key = `process.env.${keyVariable}`;
  const values = { Bearer: `\`Bearer \${${key}}\``, Basic: `\`Basic \${btoa(\`:\${${key}}\`)}\``, '': key };
  const all = [
    ...credentials.map(({ header, prefix }) => [header, values[prefix]]),
    ...headers.map(([name, value]) => [name, literal(value)]),
  ].map(([name, value]) => `${/^\w+$/.test(name) ? name : literal(name)}: ${value}`);
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(all.length > 0 ? [`headers: {\n    ${all.join(',\n    ')},\n  }`] : []),
    ...(body === undefined ? [] : [`body: JSON.stringify(${literal(body, '  ')})`]),
  ];
  const second = options.length > 0 ? `, {\n  ${options.join(',\n  ')},\n}` : '';
  return `const response = await fetch(${literal(url)}${second});
if (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`);
console.log(response.status${answersJson ? ', await response.json()' : ''});`;
}

function python({ method, url, credentials, headers, body, answersJson }, { keyVariable }) {
  const quoted = (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const key = `os.environ['${keyVariable}']`;
  const values = {
    Bearer: `'Bearer ' + ${key}`,
    Basic: `'Basic ' + b64encode((':' + ${key}).encode()).decode()`,
    '': key,
  };
  const keys = credentials.map(({ header, prefix }) => `${quoted(header)}: ${values[prefix]}`);
  const heads = [...keys, ...headers.map(([name, value]) => `${quoted(name)}: ${quoted(value)}`)];
  const given = [
    quoted(url),
    ...(method === 'GET' ? [] : [`method=${quoted(method)}`]),
    ...(heads.length > 0 ? [`headers={\n        ${heads.join(',\n        ')},\n    }`] : []),
    ...(body === undefined ? [] : [`data=${quoted(JSON.stringify(body))}.encode()`]),
  ];
  const imports = [
    ...(answersJson ? ['import json'] : []),
    ...(keys.length > 0 ? ['import os'] : []),
    ...(credentials.some(({ prefix }) => prefix === 'Basic') ? ['from base64 import b64encode'] : []),
    'from urllib.error import HTTPError',
    'from urllib.request import Request, urlopen',
  ];
  return `${imports.join('\n')}

request = Request(
    ${given.join(',\n    ')},
)
try:
    with urlopen(request) as response:
        print(response.status${answersJson ? ', json.load(response)' : ''})
except HTTPError as error:
    raise SystemExit(f'{error.status} {error.read().decode()}')`;
}

/** Plain data as JavaScript writes it, in one line if that is short. */
function literal(value, indent = '') {
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (value === null || typeof value !== 'object') return String(value);
  // A number as it was typed, which a page makes with JSON.rawJSON.
  if (JSON.isRawJSON?.(value)) return value.rawJSON;
  const isList = Array.isArray(value);
  const inner = `${indent}  `;
  const parts = Object.entries(value).map(([name, each]) => {
    const text = literal(each, inner);
    return isList ? text : `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)}: ${text}`;
  });
  const [open, close] = isList ? '[]' : '{}';
  const line = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  if (parts.length === 0) return open + close;
  if (line.length + indent.length <= 70 && !line.includes('\n')) return line;
  return `${open}\n${inner}${parts.join(`,\n${inner}`)},\n${indent}${close}`;
}
