/* What the service does by the contract alone: shared with the fake that the client has for tests. */
export * from './headers.ts';
export { isUnderBasePath, paramsOf, routeFinder, type Route } from './routes.ts';
export * from './windows.ts';
