/** The catalogue's contract for peers that have it in code. */
import { z } from 'zod';

const dimensions = z.strictObject({
  width: z.number().min(0),
  height: z.number().min(0),
  depth: z.number().min(0),
});

export const newProduct = z.strictObject({
  name: z.string().min(1).max(100),
  supplierId: z.uuid(),
  category: z.enum(['book', 'food', 'garden', 'toy']),
  priceInCents: z.int().min(0),
  contact: z.email(),
  availableFrom: z.iso.datetime({ offset: true }),
  dimensions,
  note: z.string().max(1000).nullable(),
});

export const product = newProduct.extend({ id: z.uuid() });
export const limit = z.int().min(1).max(100);
export const id = z.uuid();
