export type { Refusal } from './refusals.ts';
export { createServer, type ServerOptions } from './server.ts';
export { toolsOf, type Tool, type ToolOptions } from './tools.ts';
