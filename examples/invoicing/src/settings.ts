import { integer, secret, url, type SettingsOf } from '@contract-kit/server';

export const settings = {
  LOGIN_KEY: secret({ description: 'signs the tokens of users' }),
  WEBHOOK_URL: url({ description: 'gets each payment' }),
  TERM_DAYS: integer({ min: 0, max: 90, default: 14, description: 'days until an invoice is overdue' }),
};

export type Settings = SettingsOf<typeof settings>;
