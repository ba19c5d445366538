/* The test support of the petstore: `@petstore/server/testing`. */
export { addedOperations, withHandlers, withOperations } from './operations.ts';
export { petstore } from './petstore.ts';
export { sharedService, startTestService, type TestService } from './service.ts';
export { copyWorkspace, root, type Workspace } from './workspace.ts';
