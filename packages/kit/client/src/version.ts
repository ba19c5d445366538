/** That of package.json, which a page would carry as a whole. */
export const version = '1.0.0';
