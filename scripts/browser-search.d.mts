/** Absolute path of the search script of static exports. */
export const searchScript: string;
/** The generated script. */
export function buildSearchScript(): Promise<string>;
