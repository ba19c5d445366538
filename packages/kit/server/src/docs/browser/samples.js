// Code samples for a request. The server renders them with the contract's examples, the page with the values in its
// form.
import { writeParameter, writePath } from '@contract-kit/core/http';
import { curl } from './sample-curl.js';
import { python } from './sample-python.js';
import { client, fetching } from './sample-typescript.js';

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
 * published. Each prints the response as it comes, and fails if that is an error.
 */
export function samplesFor(request, names) {
  const sent = sentBy(request);
  const sample = (lang, label, source) => ({ lang, label, source });
  return [
    sample('shell', 'curl', curl(sent, names)),
    // fetch sends no TRACE.
    ...(request.method === 'TRACE'
      ? []
      : [
          ...(names.package ? [sample('typescript', 'TypeScript', client(request, names))] : []),
          sample('typescript', names.package ? 'fetch' : 'TypeScript', fetching(sent, names)),
        ]),
    sample('python', 'Python', python(sent, names)),
  ];
}

/** The request as HTTP has it: the address, the headers, and the body as a text or the fields of a form. */
function sentBy(request) {
  const { parameters, bodyKind, bodyType, body, credentials, accept } = request;
  const at = (place) => parameters.filter((parameter) => parameter.in === place);
  const cookies = at('cookie').map(writtenOrNot).filter(Boolean);
  const keyNames = credentials.filter((credential) => credential.in === 'cookie').map(({ name }) => name);
  const form = orNot(styledForm)(parameters);
  const texts = at('header').map((parameter) => [parameter.name, writtenOrNot(parameter)]);
  const hasType = form !== undefined || (body !== undefined && bodyKind !== 'form');
  return {
    ...request,
    credentials: [...credentials, ...(keyNames.length > 0 ? [cookieHeader(cookies, keyNames)] : [])],
    url: sampleUrl(request),
    isMultipart: bodyType === 'multipart/form-data',
    headers: [
      ...(accept ? [['Accept', accept]] : []),
      ...texts.filter(([, text]) => text !== undefined),
      ...(cookies.length > 0 && keyNames.length === 0 ? [['Cookie', cookies.join('; ')]] : []),
      ...(hasType ? [['Content-Type', bodyType]] : []),
    ],
    ...(form === undefined
      ? {
          text: bodyKind === 'json' ? JSON.stringify(body) : body,
          fields: at('form').flatMap(({ name, value, isFile, fileType }) =>
            [value].flat().map((item) => ({ name, value: writtenText(item), isFile, fileType })),
          ),
        }
      : { bodyKind: 'text', text: form, fields: [] }),
  };
}

/** All cookies as one header. The key follows each of its `parts`. */
function cookieHeader(cookies, keyNames) {
  const parts = keyNames.map((name, index) => `${[...(index > 0 ? [''] : cookies), name].join('; ')}=`);
  return { in: 'header', name: 'Cookie', prefix: '', parts };
}
