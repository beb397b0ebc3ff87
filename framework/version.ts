// The version of the package, for the `Server` header; a test compares it with package.json.
export const VERSION = '0.9.0';
