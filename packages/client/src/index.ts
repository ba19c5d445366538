// Generated from openapi.yaml by `npm run generate`. Edit openapi.yaml instead.

import { knownCodes, namesOf, type NamesOf } from '@kit/client';
import { errorCodes } from '@petstore/contract';

export * from './client.ts';
export * from '@kit/client/public';
/** The name of `CallError` in version 1.0. */
export { CallError as PetstoreError } from '@kit/client';

/** The known codes of the API's errors, each with its meaning, to compare `error.code` with. */
export const errorCode: NamesOf<typeof errorCodes> = /* @__PURE__ */ namesOf(errorCodes);

/** Whether this version of the client knows the code, so that a `switch` over it can cover every case. */
export const isKnownCode = /* @__PURE__ */ knownCodes(errorCodes);
