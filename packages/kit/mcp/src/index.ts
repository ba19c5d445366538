export type { Refusal } from './refusals.ts';
export { createServer, type ServerOptions } from './server.ts';
export { toolsOf, type Tool, type ToolContract, type ToolOptions } from './tools.ts';
