import preset from '../../jest.preset.mjs';

// Many tests start processes and databases, on machines that may be busy.
export default { ...preset, testTimeout: 30_000 };
