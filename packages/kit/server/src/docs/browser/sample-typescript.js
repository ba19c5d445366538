import { inHeaders, quoted, quotedUrl, textWithKey } from './sample-source.js';

/** An expression among plain data. */
class Code {
  constructor(text) {
    this.text = text;
  }
}

/** With the imports that its code needs first. */
function withImports(code, ...others) {
  const imports = [
    ...(code.includes('await openAsBlob(') ? ["import { openAsBlob } from 'node:fs';"] : []),
    ...(code.includes('await writeFile(') ? ["import { writeFile } from 'node:fs/promises';"] : []),
    ...others,
  ];
  return [...imports, ...(imports.length > 0 ? [''] : []), code].join('\n');
}

const openedFile = (file, type) =>
  new Code(`await openAsBlob(${literal(file)}${type ? `, { type: ${literal(type)} }` : ''})`);

/** Without the client. */
export function fetching(request, { keyVariable }) {
  const { method, bodyKind, text, fields, isMultipart, headers, result, file } = request;
  const key = `\${process.env.${keyVariable}}`;
  const url = quotedUrl(request, literal, ['`', key, '`']);
  const escape = (value) => value.replace(/[`$\\]/g, '\\$&');
  const keys = inHeaders(request).map((credential) => {
    const { name, prefix } = credential;
    const value = prefix === 'Basic' ? `Basic \${btoa(\`:${key}\`)}` : textWithKey(credential, key, escape);
    return [name, new Code(`\`${value}\``)];
  });
  const sent = [...keys, ...headers];
  const append = ({ name, value, isFile, fileType }) => {
    const content = isFile ? `${openedFile(value, fileType).text}, ${literal(value)}` : literal(value);
    return `form.append(${literal(name)}, ${content});\n`;
  };
  const form = isMultipart ? `const form = new FormData();\n${fields.map(append).join('')}` : '';
  const pairs = fields.map(({ name, value }) => [name, value]);
  const bodies = {
    // As text if a number in it would be rounded.
    json: () => (isExact(text) ? `JSON.stringify(${literal(JSON.parse(text), '  ')})` : literal(text)),
    text: () => literal(text),
    bytes: () => openedFile(text).text,
    form: () => (isMultipart ? 'form' : `new URLSearchParams(${literal(pairs, '  ')})`),
  };
  const options = {
    ...(method === 'GET' ? {} : { method }),
    ...(sent.length > 0 && { headers: Object.fromEntries(sent) }),
    ...((text !== undefined || fields.length > 0) && { body: new Code(bodies[bodyKind]()) }),
  };
  const args = Object.keys(options).length > 0 ? `${url}, ${literal(options)}` : url;
  const use = {
    bytes: () => `await writeFile(${literal(file)}, response.body ?? '');`,
    events: () => EVENTS,
    lines: () => linesOf(request),
    none: () => 'console.log(response.status);',
  }[result];
  return withImports(`${form}const response = await fetch(${args});
if (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`);
${use ? use() : 'console.log(await response.text());'}`);
}

/** Whether parsing a JSON text changes no number in it. */
const isExact = (text) => JSON.stringify(JSON.parse(text)) === text;

const PIECES = `let rest = '';
for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {`;

/** The data of each event (WHATWG HTML §9.2.6). */
const EVENTS = `${PIECES}
  const events = (rest + text).replaceAll('\\r\\n', '\\n').split('\\n\\n');
  rest = events.pop() ?? '';
  for (const event of events) {
    const lines = event.split('\\n').filter((line) => line.startsWith('data:'));
    if (lines.length > 0) console.log(lines.map((line) => line.replace(/^data: ?/, '')).join('\\n'));
  }
}`;

/** The last line may have no end. */
const linesOf = ({ isSequence }) => `${PIECES}
  const lines = (rest + text).split(${isSequence ? '/[\\n\\x1e]/' : "'\\n'"});
  rest = lines.pop() ?? '';
  for (const line of lines) if (line.trim()) console.log(line.trim());
}
if (rest.trim()) console.log(rest.trim());`;

/** With the client. What it throws for an error ends the program, with the status and the body. */
export function client(request, names) {
  const { id, base, parameters, isFlat, result, file } = request;
  const { package: packageName, factory, variable, defaultBase } = names;
  const values = parameters
    .filter((parameter) => parameter.in !== 'form')
    .map(({ name, input = name, value }) => [input, value]);
  const body = bodyForClient(request);
  const input = { ...Object.fromEntries(values), ...(body === undefined ? {} : isFlat ? body : { body }) };
  const hasInput = body !== undefined || values.length > 0;
  const call = `await ${variable}.${id}(${hasInput ? literal(input) : ''})`;
  const stream = () => `for await (const item of ${call}) console.log(item);`;
  const use = {
    bytes: () => `await writeFile(${literal(file)}, ${call});`,
    events: stream,
    lines: stream,
    none: () => `const { status } = ${call}.reply();\nconsole.log(status);`,
  }[result];
  const options = base === defaultBase ? '' : literal({ baseUrl: base });
  return withImports(
    `const ${variable} = ${factory}(${options});\n\n${use ? use() : `console.log(${call});`}`,
    `import { ${factory} } from '${packageName}';`,
  );
}

/** The body as the client takes it. */
function bodyForClient({ parameters, bodyKind, bodyType, body, isRange, isScalar }) {
  if (isScalar && bodyKind === 'text') return JSON.parse(body);
  if (bodyKind === 'bytes') return openedFile(body, isRange && bodyType);
  if (bodyKind !== 'form') return body;
  const fields = parameters.filter((parameter) => parameter.in === 'form');
  return Object.fromEntries(
    fields.map(({ name, value, isFile, fileType, isList }) => {
      const content = isFile ? openedFile(value, fileType) : value;
      return [name, isFile && isList ? [content] : content];
    }),
  );
}

/** Plain data as JavaScript source, in one line if it is short. */
function literal(value, indent = '') {
  if (typeof value === 'string') return quoted(value);
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
