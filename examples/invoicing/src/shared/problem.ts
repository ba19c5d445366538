import type { components } from '@invoicing/contract';

/** An error response (RFC 9457). `pointer` names the field of the body that is wrong. */
export function problem<const Status extends number>(status: Status, title: string, pointer?: string) {
  const errors = pointer === undefined ? [] : [{ detail: title, pointer: `#${pointer}` }];
  const body: components['schemas']['Problem'] = { type: 'about:blank', title, status, errors };
  return { status, body };
}

export const notFound = (what: string, id: string) => problem(404, `You have no ${what} ${id}.`);
