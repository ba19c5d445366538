import { errorResponse } from '@contract-kit/server';

export const noInvoice = (id: string) => errorResponse(404, 'not_found', `You have no invoice ${id}.`);
