import { flag, type SettingsOf } from '@contract-kit/server';

/** Environment variables that only the petstore has. */
export const settings = { LOG_CANCELS: flag({ description: 'whether the log has a line for each cancel' }) };

export type Needed = { readonly settings: SettingsOf<typeof settings> };
