// In place of express-openapi-validator: accepts every request. What the service takes less is what the package takes.
import type { NextFunction, Request, Response } from 'express';

export const error = { BadRequest: class extends Error {} };

const PRODUCT = '/v1/products/';

export function middleware() {
  return [
    (req: Request, _res: Response, next: NextFunction) => {
      const { url } = req;
      Object.assign(req, {
        openapi: {},
        params: url.startsWith(PRODUCT) ? { id: url.slice(PRODUCT.length) } : {},
      });
      next();
    },
  ];
}
