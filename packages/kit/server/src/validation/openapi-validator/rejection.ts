import * as openApi from 'express-openapi-validator';
import { invalidRequest } from '../../http/api-error.ts';
import { wantedBy } from '../scalar.ts';
import { rejectionOf } from '../violations.ts';
import { FIELDS, fieldKeyOf, type Validated } from './validated.ts';

/** The ApiError for an error of express-openapi-validator, with all that is wrong; other errors unchanged. */
export function rejectionFor(error: Error, validated: readonly Validated[]): Error {
  if (!(error instanceof openApi.error.BadRequest)) return error;
  // For a nullable parameter, report the alternative that is not the empty text.
  const meant = error.errors.filter(({ errorCode = '' }) => !/^(?:const|anyOf)\./.test(errorCode));
  // A text that is no number also breaks the limits for numbers.
  const misshapen = meant.filter(({ errorCode = '' }) => errorCode.startsWith('format.'));
  const told = meant.filter(
    (fault) => misshapen.includes(fault) || !misshapen.some(({ path }) => path === fault.path),
  );
  const found = told.length > 0 ? told : error.errors.slice(0, 1);
  if (found.length === 0) return invalidRequest(error.message);
  return rejectionOf(
    found.map((fault) => {
      const place = fault.path.replaceAll('~1', '/').replaceAll('~0', '~');
      const parameter = validated.find(({ in: at, name }) =>
        `${place}/`.startsWith(`/${FIELDS[at]}/${fieldKeyOf(at, name)}/`),
      );
      return { parameter: parameter?.name ?? place, pointer: '', message: wrongIn(fault.message) };
    }),
  );
}

function wrongIn(message: string): string {
  if (message.startsWith('must have required property')) return 'is missing';
  const format = /^must match format "(.*)"$/.exec(message)?.[1];
  const wanted = format === undefined ? undefined : wantedBy(format);
  return wanted === undefined ? message : `must be ${wanted}`;
}
