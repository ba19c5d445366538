import type { ErrorBodyMaker } from '@contract-kit/server';

const LIKE_BANKS = ['listPayments', 'createPayment', 'getPayment', 'refundPayment'];

/** Payments have errors like those of banks, and all others problem details (RFC 9457). */
export const errorBody: ErrorBodyMaker = ({ code, message, status, violations = [] }, operationId = '') =>
  LIKE_BANKS.includes(operationId)
    ? { code, message, status }
    : {
        type: `https://invoicing.example/errors/${code}`,
        title: message,
        status,
        errors: violations.map(({ parameter, pointer, message: detail }) =>
          parameter === undefined ? { detail, pointer: `#${pointer}` } : { detail, parameter },
        ),
      };
