import { errorCodes, type ErrorCode } from '@petstore/contract';

export type { ErrorCode };

/**
 * The known codes of the API's errors, each with its meaning, to compare `error.code` with:
 * `error.code === errorCode.order_already_shipped`.
 */
export const errorCode = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ Object.keys(errorCodes).map((code) => [code, code]),
) as CodesOf<typeof errorCodes>;

type CodesOf<Statuses> = { readonly [Code in keyof Statuses]: Code };

/** Whether this version of the client knows the code, so that a `switch` over it can cover every case. */
export function isKnownCode<Code extends string>(code: Code): code is Code & Known<Code> {
  return Object.hasOwn(errorCodes, code);
}

/** Those of the known codes that the type names; all of them where it names none. */
type Known<Code> = [Extract<Code, ErrorCode>] extends [never] ? ErrorCode : Extract<Code, ErrorCode>;
