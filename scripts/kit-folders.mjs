/** The packages of the kit by their folders, in the order in which they are published: each depends on those before it. */
export const FOLDERS = ['core', 'client', 'mcp', 'server', 'testing', 'cli', 'create'];
