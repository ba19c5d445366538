import type { Example } from '@kit/contract';
import { isJson } from '@kit/contract/media-type';
import type { Operation } from '@kit/contract/model';
import { exampleOf, shownExamples, type WithExamples } from '@kit/contract/shown-example';
import { violations } from '../check/examples.ts';
import { ownHeadersOf } from '../operations.ts';
import type { SourceDocument, Json } from '../source-document.ts';

/** Finds a value that a part of the contract allows: the author's example if it fits, otherwise one that is made. */
export function valuesIn(contract: SourceDocument): (view: 'sent' | 'response', media: WithExamples) => Json {
  const { document } = contract;
  const violationIn = violations(contract);
  return (view, media) => {
    const { schema = {} } = media;
    const made = [false, true].map((ignoresShown) => exampleOf(document, { schema }, { view, ignoresShown }));
    return [...shownExamples(document, media), ...made].find(
      (value) => value !== undefined && !violationIn(view, schema, value),
    );
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
    const headers = required.map((header) => [header.name, shown(header)] as const);
    const { type } = media ?? {};
    const body: Json = media && shown(media);
    const isBodyless = type !== undefined && body === undefined && isJson(type);
    if (isBodyless || headers.some(([, value]) => value === undefined)) return undefined;
    return {
      status: Number(declared.replace('XX', '00')) || 200,
      ...(headers.length > 0 && {
        headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
      }),
      ...(type !== undefined && { body: isJson(type) || typeof body === 'string' ? body : '' }),
    };
  };
}

/** The lowest declared success, otherwise `2XX`, otherwise `default`, otherwise a redirect. */
function firstSuccess({ responses }: Operation) {
  const sorted = responses.toSorted((a, b) => a.status.localeCompare(b.status));
  return [/^2/, /^default$/, /^3/]
    .map((kind) => sorted.find(({ status }) => kind.test(status)))
    .find(Boolean);
}
