/* How a request and a response carry what the contract says: credentials, parameters in their styles, headers. */

export * from './credential.ts';
export * from './parameter-reader.ts';
export * from './parameters.ts';
export * from './pipeline-headers.ts';
