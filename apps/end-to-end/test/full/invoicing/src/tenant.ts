import { contextOf, type HandlerContext } from '@contract-kit/server';
import type { RequestHandler } from 'express';

/** Lets a caller act for its own tenants only. Handlers find the tenant in `locals`. */
export const tenant: RequestHandler = (req, res, next) => {
  const name = req.get('X-Tenant') ?? '';
  if (!contextOf(req).caller?.claims?.tenants.includes(name)) {
    const message = 'Send the header X-Tenant with a tenant of yours.';
    res.status(403).json({ code: 'forbidden', message, status: 403 });
    return;
  }
  res.locals['tenant'] = name;
  next();
};

export const tenantOf = ({ locals }: HandlerContext) => locals['tenant'] as string;
