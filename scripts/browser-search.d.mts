/** Absolute path of the script of static exports. */
export const searchScript: string;
/** The script as it should be. */
export function buildSearchScript(): Promise<string>;
