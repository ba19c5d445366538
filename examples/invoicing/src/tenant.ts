import { contextOf, type HandlerContext } from '@contract-kit/server';
import type { RequestHandler } from 'express';
import { problem } from './shared/problem.ts';

/** The tenants for whom a caller may act: those of a user, or the owner of an API key. */
export const tenantsOf = ({ owner, claims }: NonNullable<HandlerContext['caller']>) =>
  claims?.tenants ?? [owner];

/** Lets a caller act for its own tenants only. Handlers find the tenant in `locals`. */
export const tenant: RequestHandler = (req, res, next) => {
  const { caller } = contextOf(req);
  const tenants = caller ? tenantsOf(caller) : [];
  const name = req.get('X-Tenant') ?? tenants[0] ?? '';
  if (!tenants.includes(name)) {
    const { status, body } = problem(403, `You do not belong to the tenant ${name}.`);
    res.status(status).type('application/problem+json').json(body);
    return;
  }
  res.locals['tenant'] = name;
  next();
};

export const tenantOf = ({ locals }: HandlerContext) => locals['tenant'] as string;
