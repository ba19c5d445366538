import { exampleOf } from '@kit/contract/shown-example';
import { inspect } from 'node:util';
import type { Contract } from '@kit/contract';
import { clientNames } from '@kit/contract/client-names';
import { credentialOf, operationsOf, type Document, type Operation, type Sample } from './openapi.ts';

/** The request that the contract's examples make of an operation. */
interface SampleRequest {
  readonly id: string;
  readonly method: string;
  readonly base: string;
  readonly url: string;
  readonly credentials: readonly ReturnType<typeof credentialOf>[];
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** Whether the first success comes with JSON. */
  readonly answersJson: boolean;
}

/** What can be pasted to call each operation, by its operationId, as `x-codeSamples` lists it. */
export function samplesOf(contract: Contract, document: Document): ReadonlyMap<string, readonly Sample[]> {
  const { keyVariable } = clientNames(contract.name);
  return new Map(
    operationsOf(document).map((operation) => {
      const request = requestOf(document, operation);
      return [
        operation.operationId,
        [
          { lang: 'shell', label: 'curl', source: curl(request, keyVariable) },
          { lang: 'typescript', label: 'TypeScript', source: client(request, contract) },
          { lang: 'javascript', label: 'fetch', source: fetched(request, keyVariable) },
          { lang: 'python', label: 'Python', source: python(request, keyVariable) },
        ],
      ];
    }),
  );
}

function requestOf(document: Document, operation: Operation): SampleRequest {
  const { operationId: id, method, path, parameters, requestBody, alternatives, responses } = operation;
  const [base = ''] = document.servers.map(({ url }) => url);
  const wanted = parameters.filter(({ required }) => required);
  const values = wanted.map((each) => ({ ...each, value: exampleOf(document, each) }));
  const at = (place: string) => values.filter((each) => each.in === place);
  const query = at('query').flatMap(({ name, value, explode }) => {
    const parts = [value].flat().map((each) => encodeURIComponent(String(each)));
    return (explode === false ? [parts.join(',')] : parts).map(
      (part) => `${encodeURIComponent(name)}=${part}`,
    );
  });
  const filled = at('path').reduce(
    (text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(String(value))),
    path,
  );
  const media = requestBody?.content['application/json'];
  const [[, success] = []] = Object.entries(responses).filter(([status]) => status < '300');
  const json = media && (['Content-Type', 'application/json'] as const);
  return {
    id,
    method,
    base,
    url: base + filled + (query.length > 0 ? `?${query.join('&')}` : ''),
    credentials: (alternatives[0] ?? [])
      .flatMap((name) => document.components?.securitySchemes?.[name] ?? [])
      .map(credentialOf),
    headers: [
      ...at('header').map(({ name, value }) => [name, String(value)] as const),
      ...(json ? [json] : []),
    ],
    parameters: Object.fromEntries(values.map(({ name, value }) => [name, value])),
    body: media && exampleOf(document, media),
    answersJson: success?.content?.['application/json'] !== undefined,
  };
}

function curl({ method, url, credentials, headers, body }: SampleRequest, keyVariable: string): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
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

function client(
  { id, base, parameters, body, answersJson }: SampleRequest,
  { name, operations }: Contract,
): string {
  const { package: packageName, factory, variable, keyVariable } = clientNames(name);
  const isFlat = operations[id]?.body === 'fields';
  const input = { ...parameters, ...(body === undefined ? {} : isFlat ? (body as object) : { body }) };
  const call = `await ${variable}.${id}(${Object.keys(input).length > 0 ? literal(input) : ''});`;
  return `import { ${factory} } from '${packageName}';

const ${variable} = ${factory}({
  apiKey: process.env.${keyVariable} ?? '',
  baseUrl: '${base}',
});

${answersJson ? `const answer = ${call}\nconsole.log(answer);` : call}`;
}

function fetched(
  { method, url, credentials, headers, body, answersJson }: SampleRequest,
  keyVariable: string,
): string {
  const key = `process.env.${keyVariable}`;
  const values = { Bearer: `\`Bearer \${${key}}\``, Basic: `\`Basic \${btoa(\`:\${${key}}\`)}\``, '': key };
  const keys = credentials.map(({ header, prefix }) => [header, values[prefix]] as const);
  const all = [...keys, ...headers.map(([name, value]) => [name, literal(value)] as const)].map(
    ([name, value]) => `${/^\w+$/.test(name) ? name : literal(name)}: ${value}`,
  );
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(all.length > 0 ? [`headers: {\n    ${all.join(',\n    ')},\n  }`] : []),
    ...(body === undefined ? [] : [`body: JSON.stringify(${literal(body, '  ')})`]),
  ];
  const second = options.length > 0 ? `, {\n  ${options.join(',\n  ')},\n}` : '';
  return `const response = await fetch('${url}'${second});
console.log(response.status${answersJson ? ', await response.json()' : ''});`;
}

function python(
  { method, url, credentials, headers, body, answersJson }: SampleRequest,
  keyVariable: string,
): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
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
    'from urllib.request import Request, urlopen',
  ];
  return `${imports.join('\n')}

request = Request(
    ${given.join(',\n    ')},
)
with urlopen(request) as response:
    print(response.status${answersJson ? ', json.load(response)' : ''})`;
}

/** `value`, which is plain data, as JavaScript writes it. */
function literal(value: unknown, indent = ''): string {
  const whole = { depth: Infinity, maxArrayLength: Infinity, maxStringLength: Infinity, breakLength: 70 };
  return inspect(value, whole).replaceAll('\n', `\n${indent}`);
}
