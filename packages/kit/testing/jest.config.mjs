export { preset as default } from '../../../jest.config.mjs';
