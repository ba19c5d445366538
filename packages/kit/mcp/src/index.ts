export type { Client } from './caller.ts';
export { readModel } from '@contract-kit/core/model';
export { respondOverHttp } from './http.ts';
export type { Rejection } from './rejections.ts';
export { serverFactory, type ServerOptions } from './server.ts';
export { toolsOf, type Tool, type ToolOptions } from './tools.ts';
