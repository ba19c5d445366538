export interface Product {
  readonly id: string;
  readonly name: string;
}
export const products: readonly Product[];
export const list: (limit: number) => Product[];
export const find: (id: string) => Product | undefined;
export const create: (product: object) => Product;
