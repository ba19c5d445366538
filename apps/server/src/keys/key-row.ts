import type { PlanId } from '@petstore/contract';
import { TOUCH_INTERVAL, type ActiveKey, type KeyRecord } from './key-store.ts';

/** A key as both engines return it. */
export interface KeyRow {
  id: string;
  name: string;
  plan: PlanId;
  per_minute: number;
  per_day: number;
  /** The ban generation. A column keeps the name it was released with: instances of both versions run in an upgrade. */
  unbans: number;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
}

export const activeKeyColumns = 'id, plan, per_minute, per_day, unbans';

export function activeKeyOf({ id, plan, per_minute, per_day, unbans }: KeyRow): ActiveKey {
  return { id, plan, quota: { perMinute: per_minute, perDay: per_day }, banGeneration: unbans };
}

export function recordOf(row: KeyRow): KeyRecord {
  return {
    ...activeKeyOf(row),
    name: row.name,
    createdAt: row.created_at,
    ...(row.last_used_at !== null && { lastUsedAt: row.last_used_at }),
    ...(row.revoked_at !== null && { revokedAt: row.revoked_at }),
  };
}

/** The latest `last_used_at` of a key whose use at `at` is noted. */
export function noteableBefore(at: Date): string {
  return new Date(at.getTime() - TOUCH_INTERVAL).toISOString();
}
