/** The products that every server of the catalogue has in memory. Creating one stores nothing, so all rounds are alike. */
import { randomUUID } from 'node:crypto';

const COUNT = 100;
const categories = ['book', 'food', 'garden', 'toy'];

const uuid = (number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

export const products = Array.from({ length: COUNT }, (_, index) => ({
  id: uuid(index),
  name: `Product ${index}`,
  supplierId: uuid(1_000 + index),
  category: categories[index % categories.length],
  priceInCents: 100 + index * 7,
  contact: `supplier-${index}@example.com`,
  availableFrom: new Date(Date.UTC(2026, 10, 1) + index * 3_600_000).toISOString(),
  dimensions: { width: 1.5 + index, height: 20, depth: index / 4 },
  note: index % 3 === 0 ? null : `Note on "product" ${index}`,
}));

const byId = new Map(products.map((product) => [product.id, product]));

export const list = (limit) => products.slice(0, limit);
export const find = (id) => byId.get(id);
export const create = (product) => ({ id: randomUUID(), ...product });
