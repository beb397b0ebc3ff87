/** What the files have registered; a second copy of this module would be empty. */
export const registry: string[] = [];
