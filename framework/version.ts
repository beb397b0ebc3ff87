// The version of the package, for the `Server` header; a test holds it to package.json.
export const VERSION = '0.9.0';
