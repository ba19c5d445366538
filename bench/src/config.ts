/** What commands that are started need of this process's environment. */
export const inheritedEnv: Readonly<Record<string, string>> = { PATH: process.env['PATH'] ?? '' };
