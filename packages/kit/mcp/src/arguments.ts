import { contractAjv, INT64_PATTERN, isObject, type JsonObject } from '@contract-kit/core/json';

/** The most problems in one result: a large body may have many. */
const MAX_PROBLEMS = 5;

type Violation = NonNullable<ReturnType<typeof contractAjv>['errors']>[number];

/** A line for each problem of arguments, with the argument and what to send instead. */
export type ArgumentCheck = (input: unknown) => string[];

/** Makes checks of arguments, by schemas that may refer to `components`, which are compiled once. */
export function argumentChecks(
  components?: Readonly<Record<string, object | boolean>>,
): (schema: JsonObject) => ArgumentCheck {
  // Errors include the schema and the value.
  const ajv = contractAjv({ allErrors: true, verbose: true }, components);
  return (schema) => {
    const validate = ajv.compile(schema);
    // Ajv would keep the schema forever.
    ajv.removeSchema(schema);
    return (input) => {
      if (validate(input)) return [];
      // A conditional says no more than the violation inside it.
      const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if');
      const problems = new Set(errors.map(violationText));
      return [...problems].slice(0, MAX_PROBLEMS);
    };
  };
}

function violationText({ keyword, instancePath, params, message, parentSchema, data }: Violation): string {
  const names = instancePath.split('/').slice(1);
  const at = (...more: unknown[]) => [...names, ...more].join('.') || 'The arguments';
  const properties = isObject(parentSchema?.['properties']) ? parentSchema['properties'] : {};
  if (keyword === 'required') {
    const missing = params['missingProperty'] as string;
    return `${at(missing)} is missing. Send ${expected(properties[missing])}.`;
  }
  if (keyword === 'additionalProperties') {
    const known = Object.keys(properties).join(', ') || 'none';
    return `${at(params['additionalProperty'])} does not exist. Leave it out, or send one of: ${known}.`;
  }
  if (
    isInt64Schema(parentSchema) &&
    typeof data === 'number' &&
    !Number.isSafeInteger(data) &&
    data % 1 === 0
  )
    return `${at()} is above 2^53−1, where numbers are inexact. Send its digits as text, such as "9007199254740993".`;
  const sent = JSON.stringify(data) ?? 'nothing';
  const rule = keyword === 'type' ? message?.replaceAll(',', ' or ') : message;
  return `${at()} is ${sent.slice(0, 100)}, and ${rule ?? 'is wrong'}. Send ${expected(parentSchema)}.`;
}

const NOUNS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function expected(schema: unknown): string {
  if (!isObject(schema)) return 'a value of its schema';
  const { type, enum: values, const: only, format, pattern, minimum, maximum } = schema;
  const allowed = only === undefined ? values : [only];
  if (Array.isArray(allowed)) return `one of ${allowed.map((value) => JSON.stringify(value)).join(', ')}`;
  if (isInt64Schema(schema)) return 'an integer such as 42, or its digits as text such as "42"';
  const nouns = [type].flat().map((type) => NOUNS[String(type)] ?? 'a value of its schema');
  return [
    nouns.join(' or '),
    format && `in the format ${format as string}`,
    pattern && `that matches ${pattern as string}`,
    minimum !== undefined && `of at least ${minimum as number}`,
    maximum !== undefined && `of at most ${maximum as number}`,
  ]
    .filter(Boolean)
    .join(' ');
}

function isInt64Schema(schema: unknown): boolean {
  return isObject(schema) && schema['pattern'] === INT64_PATTERN;
}
