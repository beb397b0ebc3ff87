// The module through which a waiting process imports the app's packages.

/** Enough for V8 to compile the loop of Node that measures lines. */
const lines = 4000;
const map = { version: 3, sources: ['load.ts'], names: [], mappings: 'AAAA' };

/**
 * It has to be next to the bundle, so that names are resolved as in the bundle. Its many empty lines and its source
 * map are there because Node measures every line of a module that has a source map, character by character: that
 * code of Node is compiled here, and takes less time when the bundle is loaded.
 */
export const loaderModule: string = `export const load = (specifier) => import(specifier);
${`//${' '.repeat(48)}\n`.repeat(lines)}//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}
`;
