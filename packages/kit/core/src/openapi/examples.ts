import type { Example } from '../contract/index.ts';
import type { JsonObject } from '../json/index.ts';
import { isJson } from '../http/index.ts';
import { isInJson, type Operation } from '../model/index.ts';
import { valuesIn, type WithExamples } from '../values/index.ts';
import { declaredHeadersOf } from './operations.ts';
import type { SourceDocument, Json } from './source-document.ts';

/** Examples of successes, without headers of the pipeline. */
export interface Examples {
  /** A valid success of an operation; undefined if none can be made. */
  readonly of: (operation: Operation) => Example | undefined;
  /** Why none can be made. */
  readonly whyNone: (operation: Operation) => string;
}

export function examplesIn(contract: SourceDocument): Examples {
  const values = valuesIn(contract);
  const shown = (media: WithExamples): Json => values.first('response', media);

  /** The parts of a success that need a value. */
  function partsOf(operation: Operation) {
    const success = firstSuccess(operation);
    const { itemSchema, ...others } = success?.media ?? {};
    return {
      status: success?.status ?? '204',
      headers: success ? declaredHeadersOf(operation, success).filter((header) => header.required) : [],
      media: success?.media,
      body: itemSchema ? { ...others, kind: 'json', schema: listOf(itemSchema) } : success?.media,
    };
  }

  return {
    of(operation) {
      const { status, headers: required, media, body: part } = partsOf(operation);
      const headers = required.map((header): [string, Json] => {
        const value = shown(header);
        return [header.name, value === undefined || isInJson(header) ? value : String(value)];
      });
      const body: Json = part && shown(part);
      const isBodyless = media && body === undefined && (isJson(media.type) || media.form !== undefined);
      if (isBodyless || headers.some(([, value]) => value === undefined)) return undefined;
      return {
        status: Number(status.replace('XX', '00')) || 200,
        ...(headers.length > 0 && {
          headers: Object.fromEntries(headers),
        }),
        ...(media && { body: body === undefined ? '' : body }),
      };
    },
    whyNone(operation) {
      const { headers, body } = partsOf(operation);
      const parts = [
        ...headers.map((header) => [`the header ${header.name}`, header] as const),
        ...(body ? [['the body', body] as const] : []),
      ];
      const [name, part] = parts.find(([, part]) => shown(part) === undefined) ?? [];
      return part ? `${name}: ${values.whyNone('response', part)}` : 'it has a value';
    },
  };
}

const listOf = (items: JsonObject) => ({ type: 'array', items, minItems: 1 });

/** The lowest declared success, otherwise `2XX`, otherwise a redirect, otherwise `default`. */
function firstSuccess({ responses }: Operation) {
  const sorted = responses.toSorted((a, b) => a.status.localeCompare(b.status));
  return [/^2/, /^3/, /^default$/]
    .map((kind) => sorted.find(({ status }) => kind.test(status)))
    .find(Boolean);
}
