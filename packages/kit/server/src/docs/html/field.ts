import { isSafe } from '@contract-kit/core/http';
import type { Model, Schemas } from '@contract-kit/core/model';
import { escaped } from './links.ts';
import type { Input, Operation } from '../openapi.ts';
import { formParameterOf } from '../samples.ts';

/* The fields of a panel. None blocks a value that the server might take: what a field cannot check exactly, it leaves to it. */

/** What the schema of a scalar says. */
interface Facts {
  /** Without `null`; empty if it allows every type. */
  readonly types: readonly string[];
  readonly of: (keyword: string) => unknown;
}

/** The only values, if there are few enough to choose from; null cannot be sent. */
function choicesOf({ types, of }: Facts): readonly unknown[] | undefined {
  const only = of('const');
  const values = only === undefined ? of('enum') : [only];
  if (Array.isArray(values)) return (values as readonly unknown[]).filter((value) => value !== null);
  return types.length === 1 && types[0] === 'boolean' ? [true, false] : undefined;
}

/** Has the example value only if the request changes nothing; otherwise the reader must enter one. */
export function field(model: Model, { method }: Operation, parameter: Input): string {
  const { schemas } = model;
  const { value: shown = '', ...known } = formParameterOf(model, parameter);
  const { name, in: place, type, isList, isFile } = known;
  const { required, schema } = parameter;
  const facts = factsOf(schemas, isList ? (schemas.itemsOf(schema) ?? {}) : schema);
  const isSecret = isSecretIn(schemas, schema);
  const example =
    type === 'json' ? JSON.stringify(shown) : ([shown].flat() as (string | number)[]).join(', ');
  const choices = isFile || type === 'json' ? undefined : choicesOf(facts);
  const isConstant = choices?.length === 1 && !isList;
  const value =
    required && (isConstant || (isSafe(method) && !isSecret))
      ? isConstant
        ? String(choices[0])
        : example
      : '';
  const data = escaped(JSON.stringify({ ...known, example, ...(isSecret && { isSecret }) }));
  // Browsers do not let a page set the Cookie header.
  const attributes = `class="field" data-parameter="${data}"${place === 'cookie' ? ' disabled' : ''}`;
  const notation =
    isFile || choices ? '' : type === 'json' ? ', as JSON' : isList ? ', separated by commas' : '';
  const title = `${escaped(name)}${notation}${required ? '' : ' (optional)'}`;
  if (choices && isList && type !== 'boolean')
    return checkboxes(title, attributes, choices, value ? [shown].flat().map(String) : [], required);
  const control = () => {
    const own = attributes + (required ? ' required' : '');
    if (isFile) return `<input type="file" ${own}${acceptOf(parameter)}${isList ? ' multiple' : ''}>`;
    if (choices && !isList) return select(own, choices, value, required && isConstant);
    if (type === 'json' || (place === 'form' && !isList && isLong(facts) && !isSecret))
      return `<textarea ${own} rows="1" spellcheck="false">${escaped(value)}</textarea>`;
    const kind = isList ? allowedIn(place) : isSecret ? ' type="password"' : scalar(facts, place, example);
    return `<input ${own}${kind} value="${escaped(value)}" spellcheck="false">`;
  };
  return `<label>${title} ${control()}</label>`;
}

function factsOf(schemas: Schemas, schema: unknown): Facts {
  const parts = schemas.partsOf(schema);
  return {
    types: [...schemas.typesOf(schema)].filter((type) => type !== 'null'),
    of: (keyword) => parts.findLast((part) => keyword in part)?.[keyword],
  };
}

/** Whether a value is hidden as it is typed, and in what the page shows of the request. */
export function isSecretIn(schemas: Schemas, schema: unknown): boolean {
  const isText = [...schemas.typesOf(schema)].every((type) => type === 'string' || type === 'null');
  const { of } = factsOf(schemas, schema);
  return (
    isText &&
    !schemas.isBinary(schema) &&
    (of('format') === 'password' || schemas.isAbsentIn('response', schema))
  );
}

function checkboxes(
  title: string,
  attributes: string,
  choices: readonly unknown[],
  checked: readonly string[],
  required: boolean,
): string {
  const boxes = choices.map(String).map((choice) => {
    const state = checked.includes(choice) ? ' checked' : '';
    return `<label><input type="checkbox" value="${escaped(choice)}"${state}> ${escaped(choice)}</label>`;
  });
  return `<fieldset ${attributes}${required ? ' data-required' : ''}><legend>${title}</legend>${boxes.join(' ')}</fieldset>`;
}

function select(attributes: string, choices: readonly unknown[], value: string, isFixed: boolean): string {
  const options = choices.map(String).map((choice) => {
    return `<option${choice === value ? ' selected' : ''}>${escaped(choice)}</option>`;
  });
  return `<select ${attributes}>${isFixed ? '' : '<option></option>'}${options.join('')}</select>`;
}

const acceptOf = ({ fileTypes }: Input) => (fileTypes ? ` accept="${escaped(fileTypes.join())}"` : '');

/** Whether a text may have several lines: nothing says that it is short. */
function isLong({ types, of }: Facts): boolean {
  const isFree = ['format', 'pattern', 'x-extensible-enum'].every((keyword) => of(keyword) === undefined);
  return types.join() === 'string' && isFree && Number(of('maxLength') ?? Infinity) > 200;
}

/** The attributes of an input for one value. */
function scalar(facts: Facts, place: Input['in'], example: string): string {
  const { types, of } = facts;
  const isInteger = types.join() === 'integer';
  const least = Number(of('minimum') ?? of('exclusiveMinimum') ?? -1);
  const shown = ` placeholder="${escaped(example)}"`;
  // Stays exact, which a number of the browser does not. Some keyboards for digits have no minus.
  if (isInteger && /^u?int64$/.test(String(of('format'))))
    return `${least >= 0 ? ' inputmode="numeric"' : ''} pattern="-?\\d+" title="Digits alone"${shown}`;
  if (types.length > 0 && types.every((type) => type === 'integer' || type === 'number'))
    return ` type="number" step="${isInteger ? 1 : 'any'}"${bound('min', of('minimum'))}${bound('max', of('maximum'))}${shown}`;
  if (types.join() !== 'string') return allowedIn(place);
  const format = String(of('format'));
  if (format === 'date') return ' type="date"';
  const [keyboard] = Object.entries(KEYBOARDS).find(([, formats]) => formats.includes(format)) ?? [];
  const time = Object.hasOwn(TIMES, format) ? TIMES[format] : undefined;
  return (
    allowedIn(place, [...rulesOf(facts), ...(time ? [[time, `As in ${example}`] as const] : [])]) +
    (keyboard ? ` inputmode="${keyboard}"` : '') +
    (time ? shown : '')
  );
}

const bound = (name: string, value: unknown) => (typeof value === 'number' ? ` ${name}="${value}"` : '');

/** An input of the type `email` or `url` would reject some of these. */
const KEYBOARDS = { email: ['email', 'idn-email'], url: ['uri', 'iri', 'uri-reference', 'iri-reference'] };

const TIME = '\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:[Zz]|[+\\-]\\d\\d(?::?\\d\\d)?)$';
/** RFC 3339 §5.6, as text: a field of the browser has no time zone. */
const TIMES: Readonly<Record<string, string>> = {
  time: `(?=${TIME})`,
  'date-time': `(?=\\d{4}-\\d\\d-\\d\\d[Tt\\s]${TIME})`,
};

/** A condition on a text as a lookahead, and what it says. */
type Rule = readonly [condition: string, words: string];

function rulesOf({ of }: Facts): Rule[] {
  const [least, most] = [Number(of('minLength') ?? 0), of('maxLength') as number | undefined];
  const between =
    most === undefined ? `At least ${least}` : least > 0 ? `${least} to ${most}` : `At most ${most}`;
  const pattern = of('pattern');
  return [
    // Counts characters as JSON Schema does; the attribute `maxlength` counts UTF-16 units.
    ...(least > 0 || most !== undefined
      ? [[`(?=[^]{${least},${most ?? ''}}$)`, `${between} characters`] as const]
      : []),
    ...(typeof pattern === 'string' && meansTheSame(pattern)
      ? [[`(?=[^]*(?:${pattern}))`, `Matches ${pattern}`] as const]
      : []),
  ];
}

/** Whether browsers, which add the flag `v` (WHATWG HTML §4.10.5.3.6), read a pattern as JSON Schema means it. */
function meansTheSame(pattern: string): boolean {
  return !/&&|--/.test(pattern) && compiles(pattern, 'u') && compiles(pattern, 'v');
}

function compiles(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags).source !== '';
  } catch {
    return false;
  }
}

const PLACES: Readonly<Record<string, Rule>> = {
  // URLs treat these as steps to another path (RFC 3986 §5.2.4), even escaped.
  path: ['(?!\\.\\.?$)', 'Neither . nor ..'],
  header: ['(?=[ -~]*$)', 'ASCII characters only'],
};

/** A pattern for what a place can carry and what `rules` say; without one that browsers cannot read. */
function allowedIn(place: Input['in'], rules: readonly Rule[] = []): string {
  const own = PLACES[place];
  const applied = own ? [own, ...rules] : rules;
  const pattern = `${applied.map(([condition]) => condition).join('')}.*`;
  if (applied.length === 0 || !compiles(pattern, 'v')) return '';
  return ` pattern="${escaped(pattern)}" title="${escaped(applied.map(([, words]) => words).join('. '))}"`;
}
