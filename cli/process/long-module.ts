// A module that a waiting process imports before the app's packages.

/** Enough for V8 to compile the loop of Node that measures lines. */
const lines = 4000;
const map = { version: 3, sources: ['long.ts'], names: [], mappings: 'AAAA' };

/**
 * Its many empty lines and its source map are there because Node measures every line of a module that has a source map,
 * character by character: that code of Node is compiled here, and takes less time when the bundle is loaded.
 */
export const longModule: string = `${`//${' '.repeat(48)}\n`.repeat(lines)}//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}
`;
