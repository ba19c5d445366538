/* What tests of the petstore are made with: `@petstore/server/testing`. */
export { addedOperations, withHandlers, withOperations } from './operations.ts';
export { petstore } from './petstore.ts';
export { sharedService, startTestService, type TestService } from './service.ts';
export { copyWorkspace, root, type Workspace } from './workspace.ts';
