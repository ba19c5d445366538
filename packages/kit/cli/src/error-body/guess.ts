import { STATUS_CODES } from 'node:http';
import { compileFunction } from 'node:vm';
import { responseValidatorsOf, type ErrorFacts, type Violation } from '@contract-kit/core/errors';
import { isObject } from '@contract-kit/core/json';
import type { MediaType, Model, Schema } from '@contract-kit/core/model';
import { exampleOf } from '@contract-kit/core/values';
import { indented, keyOf, literalOf } from './literal.ts';

/* Guesses from the names of its fields how a contract's error says what the kit knows of one. */

/** JavaScript that makes a body, or a part of one, of `error` and, in a list of what is wrong, of `violation`. */
export interface DeclaredCode {
  readonly code: string;
  /** Whether it has the type of the schema for the compiler, too. */
  readonly isTyped: boolean;
}

/** An error that a response may carry, and what is wrong in it, if the code is about that. */
export interface Sample {
  readonly error: ErrorFacts;
  readonly violation?: Violation;
}

/** What a field may hold, guessed from its name: the first that its schema admits is sent. */
const MEANINGS: readonly (readonly [name: RegExp, codes: readonly string[]])[] = [
  [/^(http)?[-_]?status([-_]?code)?$/i, ['error.status']],
  [/^(code|error|error[-_]?code)$/i, ['error.code', 'error.code.toUpperCase()', 'error.status']],
  // RFC 9457 §4.2.1: a problem without a specific type.
  [/^type$/i, ['error.code', 'error.code.toUpperCase()', `'about:blank'`]],
  [/^(request|trace|correlation)[-_]?id$/i, ['error.requestId']],
  [/^(instance|(request[-_]?)?(path|uri|url))$/i, ['error.path']],
  [
    /^(timestamp|date|time|(occurred|created)[-_]?at)$/i,
    ['new Date().toISOString()', 'Date.now()', 'Math.floor(Date.now() / 1000)'],
  ],
  [/^(errors|name|key|slug|title)$/i, ['error.code', 'error.code.toUpperCase()']],
];
const MESSAGE =
  /^(user|developer)?[-_]?(message|msg|text|detail|details|description|reason|error[-_]?(message|description|msg))$/i;

/** Where a violation is. RFC 9457 §3 writes a pointer into the body as a fragment. */
const PLACES: readonly (readonly [name: RegExp, codes: readonly string[]])[] = [
  [
    /^pointer$/i,
    ['violation.parameter ?? `#${violation.pointer}`', 'violation.parameter ?? violation.pointer'],
  ],
  [/^(in|source)$/i, ['violation.in']],
  [
    /^(field|path|property|param(eter)?|location)([-_]?(name|path))?$/i,
    [`violation.steps.join('.')`, 'violation.in'],
  ],
];
const STEPS: readonly (readonly [name: RegExp, codes: readonly string[]])[] = [
  [/^loc$/i, ['[violation.in, ...violation.steps]']],
  [/^(location|path)$/i, ['violation.steps', '[violation.in, ...violation.steps]']],
];
/** Where it is, in items that have a field for a place in the body and one for a parameter. */
const EITHER: typeof PLACES = [
  [
    /^pointer$/i,
    [
      'violation.parameter === undefined ? `#${violation.pointer}` : undefined',
      'violation.parameter === undefined ? violation.pointer : undefined',
    ],
  ],
  [/^param(eter)?$/i, ['violation.parameter']],
];
/** Of an error that has no place, in the same fields. */
const NOWHERE = [`''`, `'request'`, '[]', `['request']`];

/** Of schemas that do not say what they hold. */
const OPEN = [
  '[{ code: error.code, message: error.message, status: error.status }]',
  '[error.message]',
  'error.message',
].map(part);
const TEXTS = ['error.message', 'error.code'].map(part);

const MAX_DEPTH = 4;

/** How much is guessed: the ways are tried until one fits. */
interface Way {
  /** With its `required` fields only, not with all fields whose meaning is known. */
  readonly onlyRequired: boolean;
  /** Whether the contract's examples are ignored. */
  readonly ignoresShown: boolean;
  /** Whether a list of places has an item also if the error has no place. */
  readonly listsEach: boolean;
}
const WAYS: readonly Way[] = [false, true].flatMap((ignoresShown) =>
  [false, true].flatMap((onlyRequired) =>
    [false, true].map((listsEach) => ({ ignoresShown, onlyRequired, listsEach })),
  ),
);

/** The part of an error that the code is about, and the samples of it. */
interface Subject {
  readonly message: 'error.message' | 'violation.message';
  readonly samples: readonly Sample[];
}

export function createGuesser(model: Model) {
  const { schemas } = model;
  const validatorOf = responseValidatorsOf(model);
  const whole = (schema: unknown) => schemas.whole(schema) as Schema;
  const admits = (schema: unknown, part: DeclaredCode, { samples }: Subject) => {
    const validate = validatorOf(schema);
    // A field that is undefined is left out.
    return valuesOf(part, samples).every((value) => value === undefined || validate(value));
  };

  /** The code that makes a body of `media` of each of `samples`. It may not fit, if nothing does. */
  function guess({ schema = {}, kind }: MediaType, samples: readonly Sample[]): DeclaredCode {
    const subject: Subject = { message: 'error.message', samples };
    // The first branch of a union may have no field that can tell it.
    const forms = [schema, ...schemas.branchesOf(schema).slice(1)] as Schema[];
    const shown = (ignoresShown: boolean) =>
      literalPart(exampleOf(schemas, { schema }, { view: 'response', ignoresShown }));
    const filled = (way: Way) => forms.map((form) => bodyOf(form, 0, subject, way));
    const isOpen = Object.keys(schemas.possibleFieldsOf(schemas.itemsOf(schema) ?? schema)).length === 0;
    const candidates = [
      ...(kind === 'json' ? WAYS.flatMap(filled) : TEXTS),
      ...(isOpen ? OPEN : []),
      shown(false),
      shown(true),
    ];
    const fitting = candidates.filter((candidate) => admits(schema, candidate, subject));
    const telling = (tells: (value: string, error: ErrorFacts) => boolean) =>
      fitting.find((candidate) =>
        valuesOf(candidate, samples).every((value, index) =>
          tells(JSON.stringify(value), (samples[index] as Sample).error),
        ),
      );
    return (telling(tellsMessage) ?? telling(tellsCode) ?? fitting[0] ?? candidates[0]) as DeclaredCode;
  }

  function bodyOf(given: Schema, depth: number, subject: Subject, way: Way): DeclaredCode {
    const schema = whole(given);
    const [branch] = schemas.branchesOf(schema);
    if (branch) return bodyOf(branch as Schema, depth, subject, way);
    const items = schemas.itemsOf(schema);
    if (items && schemas.typesOf(schema).has('array') && depth <= MAX_DEPTH)
      return listOf(items, depth, subject, way);
    const fields = Object.entries(schemas.fieldsOf(schema));
    if (fields.length === 0)
      return isFreeText(schema) ? textOf(schema, subject) : (mapOf(schema, way) ?? example(schema, way));
    const names = fields.map(([name]) => name);
    const required = schemas.requiredOf(schema);
    const known = fields.flatMap(([name, described]) => {
      const property = whole(described);
      const isRequired = required.includes(name);
      if (schemas.isAbsentIn('response', property) || (way.onlyRequired && !isRequired)) return [];
      return [{ name, property, isRequired, value: valueOf(name, property, names, depth, subject, way) }];
    });
    const isTold = known.some(({ value }) => value?.code.includes(subject.message));
    const free = known.filter(
      ({ name, property }) =>
        !isPlace(name) && isFreeText(property) && admits(property, textOf(property, subject), subject),
    );
    // A text called `error` is a code beside a message, and a message alone.
    const spare = isTold ? undefined : free.find(({ name }) => /^(error|title)$/i.test(name));
    const teller = spare ?? (known.every(({ value }) => value === undefined) ? free[0] : undefined);
    const isWhole = !fields.some(([, property]) => schemas.isAbsentIn('response', whole(property)));
    const entries = known.flatMap((field): [string, DeclaredCode][] => {
      const { name, property, isRequired } = field;
      const value = field === teller ? textOf(property, subject) : field.value;
      if (value) return [[name, value]];
      return isRequired ? [[name, neededOf(name, property, depth, subject, way)]] : [];
    });
    const made = objectPart(entries);
    // The type may require a field that responses do not have.
    return { ...made, isTyped: made.isTyped && isWhole };
  }

  /** The value of a required field whose name says nothing, or whose place the error does not have. */
  function neededOf(name: string, schema: Schema, depth: number, subject: Subject, way: Way): DeclaredCode {
    const nowhere = isPlace(name) ? admittedOf(schema, NOWHERE, subject) : undefined;
    if (nowhere) return nowhere;
    return depth < MAX_DEPTH && schemas.typesOf(schema).has('object')
      ? bodyOf(schema, depth + 1, subject, way)
      : example(schema, way);
  }

  /** An item for each violation if it has a field for the place, otherwise one for the error. */
  function listOf(items: Schema, depth: number, subject: Subject, way: Way): DeclaredCode {
    const one = schemas.typesOf(items).has('string')
      ? textOf(items, subject)
      : bodyOf(items, depth + 1, subject, way);
    const samples = subject.samples.flatMap(({ error }) =>
      (error.violations ?? []).map((violation) => ({ error, violation })),
    );
    const isOfViolations = subject.message === 'error.message' && samples.length > 0 && hasPlace(items, 0);
    if (!isOfViolations) return { ...one, code: `[${one.code}]` };
    const each = bodyOf(items, depth + 1, { message: 'violation.message', samples }, way);
    return {
      code: `error.violations?.map((violation) => (${each.code})) ?? [${way.listsEach ? one.code : ''}]`,
      isTyped: each.isTyped && one.isTyped,
    };
  }

  /** The messages by their places, such as `{ name: ['must be string'] }`; undefined unless it is a map of these. */
  function mapOf(schema: Schema, { listsEach }: Way): DeclaredCode | undefined {
    const each = schemas.othersOf(schema);
    const items = schemas.itemsOf(each);
    if (!isObject(each) || !schemas.typesOf(items ?? each).has('string')) return undefined;
    const told = `all.filter((other) => other.steps.join('.') === steps.join('.')).map(({ message }) => message)${items ? '' : `.join(', and ')`}`;
    const places = `Object.fromEntries(\n  (error.violations ?? []).map(({ steps }, _, all) => [\n    steps.join('.'),\n    ${told},\n  ]),\n)`;
    const nowhere = items ? '[error.message]' : 'error.message';
    return part(listsEach ? `error.violations ? ${places} : { '': ${nowhere} }` : places);
  }

  /** The value of a field by its name, beside fields of `names`; undefined if the name is unknown. */
  function valueOf(
    name: string,
    schema: Schema,
    names: readonly string[],
    depth: number,
    subject: Subject,
    way: Way,
  ): DeclaredCode | undefined {
    const [type] = [...schemas.typesOf(schema)].filter((item) => item !== 'null');
    if (depth > MAX_DEPTH) return undefined;
    const isOfViolation = subject.message === 'violation.message';
    const items = schemas.itemsOf(schema);
    const steps = codesFor(STEPS, name);
    if (type === 'array' && steps) return isOfViolation ? admittedOf(schema, steps, subject) : undefined;
    if (type === 'array' && items && /err|message|detail|violation|issue/i.test(name))
      return canTell(items) ? listOf(items, depth, subject, way) : undefined;
    const places = codesFor(PLACES, name);
    if (type === 'string' && isOfViolation && places) {
      const either = EITHER.every(([pattern]) => names.some((other) => pattern.test(other)));
      const one = either ? admittedOf(schema, codesFor(EITHER, name) ?? [], subject) : undefined;
      // Its type may not take undefined.
      return one ? { ...one, isTyped: false } : admittedOf(schema, places, subject);
    }
    // An empty map says nothing.
    const map = type === 'object' && !isOfViolation ? mapOf(schema, way) : undefined;
    if (map) return way.listsEach || !way.onlyRequired ? map : undefined;
    if (type === 'object') {
      const isKnown = /err|fault|problem|meta|status|response/i.test(name);
      return isKnown || (isOfViolation && hasPlace(schema, depth))
        ? bodyOf(schema, depth + 1, subject, way)
        : undefined;
    }
    if (type === 'boolean') return /^(success|ok)$/i.test(name) ? part('false') : undefined;
    if (MESSAGE.test(name) && type === 'string') {
      const text = textOf(schema, subject);
      return admits(schema, text, subject)
        ? typed(schema, text)
        : admittedOf(schema, ['error.code'], subject);
    }
    const codes = codesFor(MEANINGS, name) ?? [];
    return (
      admittedOf(schema, codes, subject) ??
      (codes.includes('error.code') ? listedOf(schema, subject) : undefined)
    );
  }

  /** The first of `codes` whose values the schema admits, or their texts. */
  function admittedOf(schema: Schema, codes: readonly string[], subject: Subject): DeclaredCode | undefined {
    const asText = codes.map((code) => `String(${code})`);
    const found = codes.flatMap((code, index) => [part(code), part(asText[index] ?? '')]);
    const fitting = found.find((candidate) => admits(schema, candidate, subject));
    return fitting && typed(schema, fitting);
  }

  /** The listed values of a schema that are the codes in another spelling, or the names of their statuses. */
  function listedOf({ enum: listed }: Schema, { samples }: Subject): DeclaredCode | undefined {
    if (!Array.isArray(listed)) return undefined;
    const alike = (wanted: readonly (string | undefined)[]) =>
      listed.find((value) => wanted.some((text) => lettersOf(text) === lettersOf(value))) as unknown;
    const pairs = samples.flatMap(({ error: { code, status } }) => {
      const value = alike([code, STATUS_CODES[status]]);
      return value === undefined ? [] : [[code, value] as const];
    });
    if (pairs.length === 0) return undefined;
    const unknown = alike(['internal_error', STATUS_CODES[500]]) ?? pairs[0]?.[1];
    const entries = [...new Map(pairs)].map(
      ([code, value]) => `  [${literalOf(code)}, ${literalOf(value)}],\n`,
    );
    const code = `new Map([\n${entries.join('')}]).get(error.code) ?? ${literalOf(unknown)}`;
    return { code, isTyped: false };
  }

  /** The message, cut to what the schema takes. */
  function textOf({ maxLength }: Schema, { message }: Subject): DeclaredCode {
    return part(typeof maxLength === 'number' ? `${message}.slice(0, ${maxLength})` : message);
  }

  function example(schema: Schema, { ignoresShown }: Way): DeclaredCode {
    return literalPart(exampleOf(schemas, { schema }, { view: 'response', ignoresShown }));
  }

  /** Whether items of the schema can say anything. */
  const canTell = (items: Schema) =>
    schemas.typesOf(items).has('string') || Object.keys(schemas.possibleFieldsOf(items)).length > 0;

  function hasPlace(schema: Schema, depth: number): boolean {
    if (depth > MAX_DEPTH) return false;
    return Object.entries(schemas.possibleFieldsOf(schema)).some(([name, property]) =>
      isPlace(name)
        ? !schemas.typesOf(property).has('object') || hasPlace(property as Schema, depth + 1)
        : false,
    );
  }

  const isFreeText = (schema: Schema) =>
    [...schemas.typesOf(schema)].join() === 'string' && !('enum' in schema || 'format' in schema);

  /** Whether the compiler sees that `found` has the type of `schema`. */
  function typed(schema: Schema, found: DeclaredCode): DeclaredCode {
    const isNarrow = 'enum' in schema || 'const' in schema || 'prefixItems' in schema;
    return { ...found, isTyped: !isNarrow };
  }

  return guess;
}

const isPlace = (name: string) => [...STEPS, ...PLACES].some(([pattern]) => pattern.test(name));

const codesFor = (table: typeof MEANINGS, name: string) => table.find(([pattern]) => pattern.test(name))?.[1];

function part(code: string): DeclaredCode {
  return { code, isTyped: true };
}

/** A value of the contract as it is. The compiler may not know the fields of one that is an object. */
function literalPart(value: unknown): DeclaredCode {
  return { code: literalOf(value), isTyped: typeof value !== 'object' || value === null };
}

function objectPart(entries: readonly (readonly [name: string, value: DeclaredCode])[]): DeclaredCode {
  const lines = entries.map(([name, { code }]) => `  ${keyOf(name)}: ${indented(code)},\n`);
  return {
    code: lines.length > 0 ? `{\n${lines.join('')}}` : '{}',
    isTyped: entries.every(([, value]) => value.isTyped),
  };
}

/** What the code makes of each sample. */
function valuesOf({ code }: DeclaredCode, samples: readonly Sample[]): unknown[] {
  const make = compileFunction(`return ${code};`, ['error', 'violation']) as (
    error: ErrorFacts,
    violation?: Violation,
  ) => unknown;
  // Undefined fields are not sent.
  return samples.map(({ error, violation }) => {
    const text = JSON.stringify(make(error, violation)) as string | undefined;
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  });
}

/** Whether a body has the message, or what is wrong at each place. */
function tellsMessage(body: string, { message, violations }: ErrorFacts): boolean {
  const tells = (text: string) => body.includes(JSON.stringify(text));
  return tells(message) || (violations?.every((violation) => tells(violation.message)) ?? false);
}

const tellsCode = (body: string, { message, code, status }: ErrorFacts) =>
  [message, code, status].some((value) => body.includes(JSON.stringify(value)));

const lettersOf = (value: unknown) =>
  String(value)
    .toLowerCase()
    .replaceAll(/[^a-z\d]/g, '');
