import { clientNames } from '@contract-kit/core';
import {
  errorShapesOf,
  type ErrorShape,
  errorsOf,
  pipelineErrors,
  type ErrorFacts,
  type Violation,
} from '@contract-kit/core/errors';
import { isJson } from '@contract-kit/core/http';
import { componentIn, type Model } from '@contract-kit/core/model';
import type { ErrorBodyMaker } from '@contract-kit/server';
import path from 'node:path';
import { createJiti } from 'jiti';
import { createGuesser, type DeclaredCode, type Sample } from './guess.ts';
import { indented, literalOf } from './literal.ts';

/* The first error-body.ts of a service, which its author completes: nothing is guessed while it runs. */

/** What may be wrong with requests, to try the guesses with. */
const WRONG: readonly (readonly Violation[])[] = [
  [{ in: 'body', pointer: '', steps: [], message: `must have required property 'name'` }],
  [
    { in: 'query', parameter: 'limit', pointer: '', steps: ['limit'], message: 'must be integer' },
    { in: 'body', pointer: '/lines/0/name', steps: ['lines', '0', 'name'], message: 'must be string' },
  ],
];

/** A body that some responses have. */
interface Form {
  /** Of its function. */
  readonly name: string;
  /** Undefined if the kit makes it. */
  readonly code: DeclaredCode | undefined;
  /** The name of its schema, if the contract has one. */
  readonly schema: string | undefined;
}

const OF_KIT: Form = { name: '', code: undefined, schema: undefined };

/** A response of an operation that the kit may have to fill, by the form that it has. */
interface Use {
  readonly operationId: string;
  readonly status: number;
  readonly form: Form;
}

/** A guessed error-body.ts. */
export interface GuessedErrors {
  readonly source: string;
  /** The function in it. */
  readonly errorBody: ErrorBodyMaker;
}

/** The guess for a published contract; undefined if the kit makes all its errors. `name` is that of the service. */
export function guessedErrors(model: Model, name: string): GuessedErrors | undefined {
  const source = errorBodySource(model, clientNames(name).contractPackage);
  return source === undefined ? undefined : { source, errorBody: errorBodyIn(source) };
}

function errorBodySource(model: Model, contractPackage: string): string | undefined {
  const { most, uses } = formsOf(model);
  const forms = new Set([most, ...uses.map(({ form }) => form)]);
  const written = [...forms].filter((form) => form.code);
  if (written.length === 0) return undefined;
  const isTyped = written.some(({ code, schema }) => code?.isTyped && schema !== undefined);
  const imports = [
    `import type { ErrorBodyMaker } from '@contract-kit/server';\n`,
    isTyped ? `import type { components } from '${contractPackage}';\n` : '',
    '\n',
  ].join('');
  const [only] = written;
  const isOne = forms.size === 1 && only !== undefined;
  const functions = isOne ? '' : written.map((form) => `const ${form.name}${functionOf(form)}\n`).join('');
  return `${imports}/* Guessed from the names of the fields in openapi.yaml. Change what is not meant so: it is written once. */

${functions}/** Makes the errors that no handler makes, such as 401, 404 and 429. A start compares them with the contract. */
export const errorBody${isOne ? functionOf(only) : dispatcher(most, uses)}`;
}

function errorBodyIn(source: string): ErrorBodyMaker {
  const module = createJiti(import.meta.url).evalModule(source, {
    filename: path.join(import.meta.dirname, 'error-body.ts'),
  });
  return (module as { errorBody: ErrorBodyMaker }).errorBody;
}

function functionOf({ code, schema }: Form): string {
  const { code: text, isTyped } = code as DeclaredCode;
  const type = isTyped && schema !== undefined ? `<components['schemas'][${literalOf(schema)}]>` : '';
  return `: ErrorBodyMaker${type} = (error) => ${text.startsWith('{') ? `(${text})` : text};\n`;
}

function dispatcher(most: Form, uses: readonly Use[]): string {
  const call = ({ name, code }: Form) => (code ? `${name}(error)` : 'undefined');
  const statuses = new Map<number, Form>();
  for (const { status, form } of uses)
    if (form !== most && uses.every((use) => use.status !== status || use.form === form))
      statuses.set(status, form);
  const cases = new Map<Form, string[]>();
  for (const { operationId, status, form } of uses) {
    if (form === most || statuses.has(status)) continue;
    cases.set(form, [...(cases.get(form) ?? []), `case '${operationId} ${status}':`]);
  }
  const byStatus = [...statuses].map(
    ([status, form]) => `if (operationId !== undefined && error.status === ${status}) return ${call(form)};`,
  );
  const byPlace = [...cases].map(
    ([form, labels]) => `${[...new Set(labels)].join('\n')}\n  return ${call(form)};`,
  );
  const last = `return ${call(most)};`;
  const lines =
    byPlace.length === 0
      ? [...byStatus, last]
      : [
          ...byStatus,
          `switch (\`\${operationId} \${error.status}\`) {\n  ${indented([...byPlace, `default:\n  ${last}`].join('\n'))}\n}`,
        ];
  const why = [most, ...uses.map(({ form }) => form)].some(({ code }) => !code)
    ? '  // Undefined leaves the body to the kit.\n'
    : '';
  return `: ErrorBodyMaker = (error, operationId) => {\n${why}  ${indented(lines.join('\n'))}\n};\n`;
}

function formsOf(model: Model): { readonly most: Form; readonly uses: readonly Use[] } {
  const shapes = errorShapesOf(model);
  const { not_implemented: unfinished } = pipelineErrors;
  const sent = model.operations.flatMap((operation) =>
    [...errorsOf(operation, model), { code: 'not_implemented', ...unfinished }].map((error) => ({
      operation,
      error,
      shape: shapes.of(operation.responses, error.status),
    })),
  );
  const samples = new Map<ErrorShape, Sample[]>();
  const add = (shape: ErrorShape, error: Pick<ErrorFacts, 'code' | 'message' | 'status'>) =>
    samples.set(shape, [...(samples.get(shape) ?? []), ...samplesOf(error)]);
  for (const [code, error] of Object.entries(pipelineErrors)) add(shapes.most, { code, ...error });
  for (const { shape, error } of sent) add(shape, error);

  const guess = createGuesser(model);
  const names = new Set<string>();
  const forms = new Map([...samples].map(([shape, all]) => [shape, formOf(shape, all)]));

  function formOf({ media, make, type }: ErrorShape, all: readonly Sample[]): Form {
    if (!media || make) return OF_KIT;
    const schema = componentIn('schemas', media.schema);
    const pascal = (schema ?? 'Other').replaceAll(/[^\w$]+(.)?/g, (_, next: string = '') =>
      next.toUpperCase(),
    );
    const base = `to${pascal.charAt(0).toUpperCase()}${pascal.slice(1)}`;
    let name = base;
    for (let next = 2; names.has(name); next += 1) name = `${base}${next}`;
    names.add(name);
    return { name, code: guess(media, all), schema: isJson(type) ? schema : undefined };
  }

  return {
    most: forms.get(shapes.most) as Form,
    uses: sent.map(({ operation, error, shape }) => ({
      operationId: operation.id,
      status: error.status,
      form: forms.get(shape) as Form,
    })),
  };
}

/** An error, and if it is about a request, with what may be wrong there. */
function samplesOf({ code, message, status }: Pick<ErrorFacts, 'code' | 'message' | 'status'>): Sample[] {
  const requestId = '11111111-1111-4111-8111-111111111111';
  const error = { code, message, status, requestId, path: '/' };
  const wrong = code === 'invalid_request' ? WRONG : [];
  return [{ error }, ...wrong.map((violations) => ({ error: { ...error, violations } }))];
}
