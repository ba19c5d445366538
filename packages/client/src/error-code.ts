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
