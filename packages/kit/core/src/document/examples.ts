import type { Example } from '../contract.ts';
import { hasExactNumbers } from '../int64.ts';
import type { JsonObject } from '../json-pointer.ts';
import { isJson } from '../media-type.ts';
import { isInJson, type Described, type Operation } from '../model/model.ts';
import { exampleOf, shownExamples, type WithExamples } from '../shown-example.ts';
import { violations } from './example-problems.ts';
import { ownHeadersOf } from './operations.ts';
import type { SourceDocument, Json } from './source-document.ts';

/** Of a union, whose values are tried until one fits. */
const MOST_BRANCHES = 4;

/** Finds a value that a part of the contract allows: the author's example if it fits, otherwise one that is made. */
export function valuesIn(contract: SourceDocument): (view: 'sent' | 'response', media: WithExamples) => Json {
  const { document } = contract;
  const violationIn = violations(contract);
  return (view, media) => {
    // As it is written: a reference to what extends a base has the tags of that.
    const { schema = {} } = 'written' in media ? { schema: (media as Described).written } : media;
    const fits = (value: Json) =>
      value !== undefined && hasExactNumbers(value) && !violationIn(view, schema, value);
    const shown = shownExamples(document, media).find(fits);
    if (shown !== undefined) return shown;
    // Many contracts require no field of a response: the required ones alone would be {}.
    for (const isFull of view === 'response' ? [true, false] : [false])
      for (let branch = 0; branch < MOST_BRANCHES; branch += 1)
        for (const ignoresShown of [false, true]) {
          const made = exampleOf(document, { schema }, { view, ignoresShown, branch, isFull });
          if (fits(made)) return made;
        }
    return undefined;
  };
}

/** Finds a valid success of an operation, without headers of the pipeline; undefined if none can be made. */
export function examplesIn(contract: SourceDocument): (operation: Operation) => Example | undefined {
  const valueOf = valuesIn(contract);
  const shown = (media: WithExamples): Json => valueOf('response', media);

  return (operation) => {
    const success = firstSuccess(operation);
    const { status: declared = '204', media } = success ?? {};
    const required = success ? ownHeadersOf(operation, success).filter((header) => header.required) : [];
    const headers = required.map((header): [string, Json] => {
      const value = shown(header);
      return [header.name, value === undefined || isInJson(header) ? value : String(value)];
    });
    const { type, itemSchema, form, ...others } = media ?? {};
    const body: Json = media && shown(itemSchema ? { ...others, schema: listOf(itemSchema) } : media);
    const isBodyless = type !== undefined && body === undefined && (isJson(type) || form !== undefined);
    if (isBodyless || headers.some(([, value]) => value === undefined)) return undefined;
    return {
      status: Number(declared.replace('XX', '00')) || 200,
      ...(headers.length > 0 && {
        headers: Object.fromEntries(headers),
      }),
      ...(type !== undefined && {
        body: isJson(type) || form || typeof body === 'string' ? body : '',
      }),
    };
  };
}

const listOf = (items: JsonObject) => ({ type: 'array', items, minItems: 1 });

/** The lowest declared success, otherwise `2XX`, otherwise `default`, otherwise a redirect. */
function firstSuccess({ responses }: Operation) {
  const sorted = responses.toSorted((a, b) => a.status.localeCompare(b.status));
  return [/^2/, /^default$/, /^3/]
    .map((kind) => sorted.find(({ status }) => kind.test(status)))
    .find(Boolean);
}
