export { built as default } from '../../../jest.config.mjs';
